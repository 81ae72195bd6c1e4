// Holds the literals that docket reads against those of TypeScript's own parser.
//
//	go build -o /tmp/literals ./engine/legacy/javascript/testdata/oracle
//	NODE_PATH=…/node_modules node compare.js /tmp/literals FOLDER…
//
// Every string, piece of a template and regular expression outside of types,
// keys and JSX has to be there, at its offset and with its value, in each file
// that TypeScript reads without an error.
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const ts = require("typescript");

const [program, ...roots] = process.argv.slice(2);
const files = [];
(function walk(list) {
  for (const f of list) {
    let st;
    try { st = fs.lstatSync(f); } catch { continue; }
    if (st.isDirectory()) walk(fs.readdirSync(f).map((x) => path.join(f, x)));
    else if (st.isFile() && st.size < 2e6 && /\.([cm]?[jt]s|[jt]sx)$/.test(f) && !/\.d\.[cm]?ts$/.test(f)) files.push(f);
  }
})(roots);

let read = 0, clean = 0, literals = 0, missing = 0, wrong = 0, extra = 0, refused = 0, bytes = 0, ms = 0;
const shown = {};
const show = (kind, text) => { if ((shown[kind] = (shown[kind] || 0) + 1) <= 15) console.log(kind, text); };

for (let i = 0; i < files.length; i += 200) {
  const batch = files.slice(i, i + 200);
  const out = execFileSync(program, batch, { maxBuffer: 1 << 30 }).toString().trimEnd().split("\n");
  for (const line of out) {
    const mine = JSON.parse(line);
    read++;
    ms += mine.ms;
    const data = fs.readFileSync(mine.file);
    bytes += data.length;
    const text = data.toString("utf8");
    if (Buffer.byteLength(text) !== data.length || text.includes("\ufffd")) continue;
    const kind = mine.file.endsWith(".tsx") ? ts.ScriptKind.TSX : /ts$/.test(mine.file) ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
    const tree = ts.createSourceFile(mine.file, text, ts.ScriptTarget.Latest, true, kind);
    if (tree.parseDiagnostics.some((d) => d.code < 8000)) continue;
    clean++;
    if (mine.problems) { refused++; show("refused", mine.file + ":" + mine.problems[0]); continue; }
    // Offsets here are of UTF-16, docket's of bytes.
    const offset = data.length === text.length ? (x) => x : (() => {
      const at = new Uint32Array(text.length + 1);
      let b = data[0] === 0xef && data[1] === 0xbb && text.charCodeAt(0) !== 0xfeff ? 3 : 0;
      for (let k = 0; k < text.length; k++) {
        at[k] = b;
        const c = text.charCodeAt(k);
        b += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c < 0xe000 ? 2 : 3;
      }
      at[text.length] = b;
      return (x) => at[x];
    })();
    const got = new Map((mine.lits || []).map((l) => [l.S, l]));
    const skip = (n) => ts.isTypeNode(n) || ts.isJsxElement(n) || ts.isJsxSelfClosingElement(n) || ts.isJsxFragment(n) || ts.isInterfaceDeclaration(n) ||
      ts.isTypeAliasDeclaration(n) || ts.isImportDeclaration(n) || ts.isDecorator(n) || (n.modifiers && n.modifiers.some((m) => m.kind === ts.SyntaxKind.DeclareKeyword));
    (function visit(n) {
      if (skip(n) && n.kind !== ts.SyntaxKind.ExpressionWithTypeArguments) return;
      const key = n.parent && n.parent.name === n || n.parent && (ts.isExportDeclaration(n.parent) || ts.isExternalModuleReference(n.parent) || ts.isExportSpecifier(n.parent) || ts.isImportAttribute(n.parent)) ||
        n.parent && ts.isComputedPropertyName(n.parent);
      let value;
      if (ts.isStringLiteralLike(n) || n.kind === ts.SyntaxKind.TemplateHead || n.kind === ts.SyntaxKind.TemplateMiddle || n.kind === ts.SyntaxKind.TemplateTail) value = n.text;
      else if (n.kind === ts.SyntaxKind.RegularExpressionLiteral) value = n.text;
      if (value !== undefined && !key) {
        literals++;
        const start = offset(n.getStart());
        const lit = got.get(start);
        got.delete(start);
        if (!lit) { if (value.isWellFormed && value.isWellFormed()) { missing++; show("missing", `${mine.file}:${tree.getLineAndCharacterOfPosition(n.getStart()).line + 1} ${JSON.stringify(value).slice(0, 60)}`); } }
        else if (lit.V !== value) { wrong++; show("wrong", `${mine.file}:${tree.getLineAndCharacterOfPosition(n.getStart()).line + 1} ${JSON.stringify(value).slice(0, 80)} ${JSON.stringify(lit.V).slice(0, 80)}`); }
      }
      ts.forEachChild(n, visit);
    })(tree);
    for (const [s, l] of got) if (!inKey(tree, s, offset)) { extra++; show("extra", `${mine.file}@${s} ${JSON.stringify(l.V).slice(0, 60)}`); }
  }
}

// A literal that docket has and the walk above did not count is a computed key,
// a decorator's argument or the like; nothing that TypeScript has as no token.
function inKey(tree, s, offset) {
  let found = false;
  (function visit(n) {
    if (found || offset(n.getEnd()) <= s || offset(n.pos) > s) return;
    if ((ts.isStringLiteralLike(n) || ts.isTemplateExpression(n) || n.kind === ts.SyntaxKind.TemplateHead || n.kind === ts.SyntaxKind.TemplateMiddle || n.kind === ts.SyntaxKind.TemplateTail || ts.isRegularExpressionLiteral(n)) && offset(n.getStart()) === s) { found = true; return; }
    ts.forEachChild(n, visit);
  })(tree);
  return found;
}

console.log({ files: read, clean, refused, literals, missing, wrong, extra, megabytes: +(bytes / 1e6).toFixed(1), seconds: ms / 1000 });
