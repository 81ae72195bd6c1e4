package javascript_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/legacy"
	"docket/engine/legacy/javascript"
)

// beside reads files of a folder.
func beside(dir string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
}

func read(t *testing.T, name, source string) *legacy.File {
	t.Helper()
	f, err := javascript.Read(name, []byte(source), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// told spells a claim in one line.
func told(c legacy.Claim) string {
	var b strings.Builder
	b.WriteString(string(c.Subject))
	if c.Path != "" {
		b.WriteString("." + c.Path)
	}
	if c.Not {
		b.WriteString(" not")
	}
	b.WriteString(" " + string(c.Op))
	if c.Any {
		b.WriteString(" any")
	}
	for _, v := range c.Values {
		text, _ := json.Marshal(v)
		b.WriteString(" " + string(text))
	}
	if c.IgnoreCase {
		b.WriteString(" i")
	}
	if c.Why != "" {
		b.WriteString(" ?")
	}
	return b.String()
}

func TestClaims(t *testing.T) {
	const ask = "const out = await summarise(TEXT); "
	for source, want := range map[string]string{
		`expect(out).toContain('a')`:                                             `answer contains "a"`,
		`expect(out).not.toContain('a')`:                                         `answer not contains "a"`,
		`expect(out).toMatch(/a b/i)`:                                            `answer matches "a b" i`,
		`expect(out).toMatch('a.b')`:                                             `answer contains "a.b"`,
		`expect(out).toEqual('a')`:                                               `answer equals "a"`,
		`expect(out.trim()).toBe("a")`:                                           `answer equals "a"`,
		`expect(out.length).toBeLessThan(200)`:                                   `answer.characters not at least 200`,
		`expect(out.split(/\s+/).length).toBeLessThanOrEqual(60)`:                `answer.words at most 60`,
		`expect(out.split('\n')).toHaveLength(3)`:                                `answer.lines equals 3`,
		`expect(out.split('\n').filter(l => l.startsWith('- ')).length).toBe(3)`: `answer.bullets equals 3`,
		`expect((out.match(/^- /gm) || []).length).toBe(3)`:                      `answer.bullets equals 3`,
		`expect(JSON.parse(out).status).toBe('paid')`:                            `document.status equals "paid"`,
		`expect(JSON.parse(out).items[0].name).toBe('x')`:                        `document.items[0].name equals "x"`,
		`expect(JSON.parse(out)).toHaveProperty('a.b', 1)`:                       `document.a.b equals 1`,
		`expect(JSON.parse(out)).toMatchObject({a: 1, b: {c: 'x'}})`:             `document.a equals 1; document.b equals {"c":"x"}`,
		`expect(() => JSON.parse(out)).not.toThrow()`:                            `answer parses`,
		`expect(['a', 'b']).toContain(out)`:                                      `answer one of "a" "b"`,
		`for (const w of ['a', 'b']) expect(out).toContain(w)`:                   `answer contains "a" "b"`,
		`['a', 'b'].forEach((w) => { expect(out).not.toContain(w) })`:            `answer not contains "a" "b"`,
		`expect(out.includes('a') || out.includes('b')).toBe(true)`:              `answer contains any "a" "b"`,
		`expect(['a', 'b'].some(w => out.includes(w))).toBe(true)`:               `answer contains any "a" "b"`,
		`expect(['a', 'b'].every(w => out.includes(w))).toBe(true)`:              `answer contains "a"; answer contains "b"`,
		`expect(['a', 'b'].some(w => out.includes(w))).toBe(false)`:              `answer not contains "a"; answer not contains "b"`,
		`expect(/x/.test(out)).toBeFalsy()`:                                      `answer not matches "x"`,
		`expect(out.indexOf('a')).toBeGreaterThan(-1)`:                           `answer contains "a"`,
		`expect(out.indexOf('a') !== -1).toBe(true)`:                             `answer contains "a"`,
		`expect(out).toEqual(expect.stringMatching(/a/))`:                        `answer matches "a"`,
		`expect(out).toContain(fetchName())`:                                     `answer contains ?`,
		`expect(typeof out).toBe('string')`:                                      `answer is a "string"`,
		`expect(out).toBeTruthy()`:                                               `answer truthy`,
		`expect(out.tool_calls[0].function.name).toBe('lookup')`:                 `tools called "lookup"`,
		`expect(out.toolCalls).toHaveLength(0)`:                                  `tools not truthy`,
		`expect(out.toolCalls.map(c => c.name)).toEqual(['a', 'b'])`:             `tools equals "a" "b"`,
		`expect(out.usage.total_tokens).toBeGreaterThan(0)`:                      `response.usage.total_tokens not at most 0`,
		`expect(out).to.include('a').and.not.include('b')`:                       `answer contains "a"; answer not contains "b"`,
		`expect(out).to.match(/a/)`:                                              `answer matches "a"`,
		`expect(out).to.be.a('string')`:                                          `answer is a "string"`,
		`expect(out).to.have.length.below(10)`:                                   `answer.characters not at least 10`,
		`expect(out).to.not.be.empty`:                                            `answer truthy`,
		`expect(out.ok).to.be.true`:                                              `document.ok truthy`,
		`expect(out.n).to.be.within(1, 2)`:                                       `document.n at least 1; document.n at most 2`,
		`out.should.contain('a')`:                                                `answer contains "a"`,
		`assert(out.includes('a'))`:                                              `answer contains "a"`,
		`assert.ok(!out.includes('a'))`:                                          `answer not contains "a"`,
		`assert.match(out, /a/)`:                                                 `answer matches "a"`,
		`assert.equal(out.status, 'paid')`:                                       `document.status equals "paid"`,
		`assert.strictEqual(out.split('\n').length, 3)`:                          `answer.lines equals 3`,
		`assert.include(out, 'a')`:                                               `answer contains "a"`,
		`assert.isAtMost(out.length, 5)`:                                         `answer.characters at most 5`,
		`assert.ok(out.length < 5)`:                                              `answer.characters not at least 5`,
		`assert.deepStrictEqual(out.tags, ['a'])`:                                `document.tags equals ["a"]`,
		`await expect(summarise('')).rejects.toThrow(/empty/)`:                   `raised raises "empty"`,
		`expect(log).toHaveBeenCalledWith('a')`:                                  `double.log called "a"`,
		`expect(out).toMatchSnapshot()`:                                          `answer snapshot`,
		`expect(out).to.have.all.keys('a', 'b')`:                                 `document has key "a" "b"`,
		`expect(out.tags).to.have.members(['a', 'b'])`:                           `document.tags contains "a" "b"`,
		`const s = sinon.createSandbox().stub(bot, 'send'); expect(s.calledOnce).to.be.true; sinon.assert.calledWith(s, 'x')`: `double.sinon.createSandbox truthy; double.sinon.createSandbox called "x"`,
		`expect.soft(out).toContain('a')`:                                                                                   `answer contains "a"`,
		`expect(Object.keys(JSON.parse(out))).toContain('a')`:                                                               `document has key "a"`,
		`expect(JSON.parse(out).tags).toEqual(expect.arrayContaining(['a', 'b']))`:                                          `document.tags contains "a" "b"`,
		`for (const it of JSON.parse(out).items) { expect(it.price).toBeGreaterThan(0) }`:                                   `document.items[].price not at most 0`,
		`const { text } = await generateText({ prompt: 'x' }); expect(text).toBe('a')`:                                      `answer equals "a"`,
		`const r = await model.generateContent('x'); expect(r.response.text()).toBe('a')`:                                   `answer equals "a"`,
		`const r = await openai.chat.completions.create({ messages: [] }); expect(r.choices[0].message.content).toBe('a')`:  `answer equals "a"`,
		`const r = await openai.chat.completions.create({ messages: [] }); expect(r.choices[0].finish_reason).toBe('stop')`: `response.choices[0].finish_reason equals "stop"`,
		`const r = await openai.responses.create({ input: 'x' }); expect(r.output_text).toBe('a')`:                          `answer equals "a"`,
		`expect(new Set(['a', 'b']).has(out)).toBe(true)`:                                                                   `answer one of "a" "b"`,
		`expect(out).to.be.oneOf(['a', 'b'])`:                                                                               `answer one of "a" "b"`,
		`if (out.includes('a')) { expect(out).toContain('b') }`:                                                             `answer contains "b"`,
		`expect(out.score).toBeCloseTo(1.5, 1)`:                                                                             `document.score near 1.5 0.05`,
	} {
		f := read(t, "a.test.ts", `import { summarise } from '../src'; const log = jest.fn(); it('x', async () => { `+ask+source+` })`)
		if len(f.Tests) != 1 || len(f.Problems) > 0 {
			t.Errorf("%s: %d tests, %v", source, len(f.Tests), f.Problems)
			continue
		}
		var got []string
		for _, c := range f.Tests[0].Claims {
			got = append(got, told(c))
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%s\n got %s\nwant %s", source, g, want)
		}
	}
}

func TestRunners(t *testing.T) {
	for source, want := range map[string]string{
		`test('a', async t => { t.regex(await ask('x'), /y/) })`:                                                                                 "a: answer matches \"y\"",
		`const test = require('node:test'); const assert = require('node:assert'); test('a', async () => { assert.match(await ask('x'), /y/) })`: "a: answer matches \"y\"",
		`describe('d', function () { context('c', function () { specify('s', async function () { (await ask('x')).should.equal('y') }) }) })`:    "d > c > s: answer equals \"y\"",
		`it.skip('a', async () => { expect(await ask('x')).toBe('y') })`:                                                                         "a: answer equals \"y\"",
		`xit('a', async () => { expect(await ask('x')).toBe('y') })`:                                                                             "a: answer equals \"y\"",
		`it.concurrent.each([[1, 'one'], [2, 'two']])('%i is %s', async (n, w) => { expect(await ask(n)).toContain(w) })`:                        "1 is one: answer contains \"one\" | 2 is two: answer contains \"two\"",
		`it.each([{n: 1, w: 'one'}])('$n', async ({n, w}) => { expect(await ask(n)).toContain(w) })`:                                             "1: answer contains \"one\"",
		`describe.each(['a', 'b'])('d %s', (l) => { it('t', async () => { expect(await ask(l)).toBe(l) }) })`:                                    "d a > t: answer equals \"a\" | d b > t: answer equals \"b\"",
		`for (const l of ['a', 'b']) { it('t ' + l, async () => { expect(await ask(l)).toBe(l) }) }`:                                             "t a: answer equals \"a\" | t b: answer equals \"b\"",
		`['a', 'b'].forEach(l => it(l, async () => { expect(await ask(l)).toBe(l) }))`:                                                           "a: answer equals \"a\" | b: answer equals \"b\"",
		`it('a', () => ask('x').then(out => { expect(out).toBe('y') }))`:                                                                         "a: answer equals \"y\"",
		`let out; beforeAll(async () => { out = await ask('x') }); it('a', () => { expect(out).toBe('y') })`:                                     "a: answer equals \"y\"",
		`class Bot { constructor(c) { this.c = c } async say(x) { return (await this.c.messages.create({messages: [{role: 'user', content: x}]})).content[0].text } }
it('a', async () => { const b = new Bot(client); expect(await b.say('x')).toBe('y') })`: "a: answer equals \"y\"",
		`test('a', async (t) => { await t.test('b', async () => { assert.equal(await ask('x'), 'y') }) })`: "a > b: answer equals \"y\"",
		`it('a', function (done) { ask('x').then(out => { expect(out).to.equal('y'); done() }) })`:         "a: answer equals \"y\"",
		`it.todo('later')`: "later: ",
	} {
		var got []string
		f := read(t, "a.test.js", source)
		for _, test := range f.Tests {
			var claims []string
			for _, c := range test.Claims {
				claims = append(claims, told(c))
			}
			got = append(got, test.Name+": "+strings.Join(claims, "; "))
		}
		if g := strings.Join(got, " | "); g != want {
			t.Errorf("%s\n got %s\nwant %s\n%v", source, g, want, f.Problems)
		}
	}
}

func TestInputsAndWhereTheyComeFrom(t *testing.T) {
	files := map[string]string{
		"texts.js":         "module.exports = { A: 'alpha', nested: { B: 'beta' } };",
		"more.ts":          "export { C as D } from './deep/c'; export const E = `e ${1 + 1}`;",
		"deep/c.ts":        "export const C = ['x', 'y'].join('\\n');",
		"data.json":        `{"ticket": "from json"}`,
		"fixtures/mail.md": "a mail",
	}
	source := `
import texts, { A } from './texts';
import { D, E } from './more.js';
import data from './data.json';
import { gone } from './gone';
import { readFileSync } from 'fs';
const MAIL = readFileSync(path.join(__dirname, 'fixtures', 'mail.md'), 'utf8');
it('t', async () => { expect(await ask(A, texts.nested.B, D, { e: E, j: data.ticket }, MAIL, gone, load())).toBe('z') });
`
	f, err := javascript.Read("a.test.ts", []byte(source), func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%q is not there", name)
	})
	if err != nil || len(f.Tests) != 1 {
		t.Fatal(err, f)
	}
	var got []string
	for _, in := range f.Tests[0].Inputs {
		got = append(got, fmt.Sprintf("%s/%s=%v %s", in.Name, in.From, in.Value, in.Why))
	}
	want := []string{"/A=alpha ", "/texts.nested.B=beta ", "D/C=x\ny ", "e/E=e 2 ", "j/data.ticket=from json ", "MAIL/fixtures/mail.md=a mail ", "gone/=<nil> imported from ./gone, which is not read", "/=<nil> computed at run time by load()"}
	for i := range want {
		if i >= len(got) || strings.TrimSpace(got[i]) != strings.TrimSpace(want[i]) {
			t.Errorf("inputs are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			break
		}
	}
	if len(f.Tests[0].Unresolved) != 2 {
		t.Errorf("unresolved: %v", f.Tests[0].Unresolved)
	}
}

func TestWhatIsNotReadIsToldWithItsLine(t *testing.T) {
	f := read(t, "a.test.js", "it('one', async () => {\n  expect(await ask('x')).toBe('1');\n  const x = ;\n  expect(await ask('x')).toBe('2');\n});\nit.each(rows())('r', (x) => {});\n")
	if len(f.Tests) != 2 || len(f.Tests[0].Claims) != 2 {
		t.Fatalf("%d tests", len(f.Tests))
	}
	if len(f.Problems) != 2 || f.Problems[0].Line != 3 || f.Problems[1].Line != 6 {
		t.Errorf("problems are %v", f.Problems)
	}
	if _, err := javascript.Read("a.test.js", []byte("\xff\xfe"), nil); err == nil {
		t.Error("a file that is no text is read")
	}
}

func TestAClaimUnderAConditionIsMarked(t *testing.T) {
	f := read(t, "a.test.js", "it('a', async () => {\n  const out = await ask('x');\n  if (out.includes('a')) {\n    expect(out).toContain('b');\n  }\n});")
	if u := f.Tests[0].Unresolved; len(u) != 1 || u[0].Line != 3 {
		t.Errorf("unresolved: %v", u)
	}
}

func TestThisEndsSoon(t *testing.T) {
	for _, source := range []string{
		"function f(x) { return f(f(x)) + f(x) } it('a', () => { expect(f(1)).toBe(f(2)) })",
		"const a = b, b = a; it('a', () => { expect(a).toBe(b) })",
		"it('a', () => { " + strings.Repeat("for (const x of [1,2,3,4,5,6,7,8,9]) { ", 12) + "expect(out).toBe(x)" + strings.Repeat("}", 12) + " })",
		"let s = 'x'; it('a', () => { for (const x of Array(9)) {} " + strings.Repeat("s = s + s; ", 60) + "expect(ask(s)).toBe(s) })",
		"it.each([" + strings.Repeat("[1,2],", 5000) + "])('a %s', (a) => { expect(ask(a)).toBe(1) })",
		strings.Repeat("describe('a', () => {", 300) + "it('b', () => {})" + strings.Repeat("})", 300),
		strings.Repeat("for (const x of [1,2,3,4,5,6,7,8,9]) { ", 9) + "it('a', () => {})" + strings.Repeat("}", 9),
		"it('x', () => { const a = {b: expect.any(String)}; a.a = a; const l = [a]; l.push(l); expect(ask(a, l)).toEqual(a); expect(ask(l)).toMatchObject(a); expect(a).toEqual(l) })",
		"it('x', () => { let a = ['x']; " + strings.Repeat("a = [a, a]; ", 60) + "expect(ask(a)).toEqual(a); expect(ask('y')).toBe(a.join()) })",
		"it('x', () => { let a = {}; " + strings.Repeat("a = {a, b: a}; ", 60) + "expect(ask(a)).toMatchObject(a) })",
		"const a = {}; a.a = a; it('x', () => { expect(ask(a)).toEqual(a) })",
		"const l = []; l.push(l); it('x', () => { expect(ask(l)).toEqual(l) })",
	} {
		f := read(t, "a.test.js", source)
		if len(f.Tests) == 0 && !strings.Contains(source, "describe") {
			t.Errorf("no test: %.60s", source)
		}
	}
}

func FuzzRead(f *testing.F) {
	suite, err := os.ReadFile("testdata/triage/triage.test.ts")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(suite)
	for _, seed := range []string{
		"it.each`\na | b\n${1} | ${'x'}\n`('t $a', ({a}) => { expect(ask(a)).toBe(1) })", "describe('x', () => { let a; beforeEach(() => { a = new A() }); it('y', async t => { t.is(await a.b(), 2) }) })",
		"it('a', () => { for (const w of ['x']) expect(out).to.include(w).and.not.be.true })", "exports.a = exports; it('b', () => { assert(exports.a.a) })", "class A { m() { return this.m() } } it('c', () => { new A().m() })",
		"const f = () => f(); it(f(), f)", "it('%s %# $x %', () => {})", "enum A { B, C = A.B } it(A.C, () => expect(A).toBe(A.C))",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		got, err := javascript.Read("a.test.ts", source, nil)
		if err != nil {
			return
		}
		for _, test := range got.Tests {
			if test.Line < 1 || test.End < test.Line || test.End > got.Lines+1 {
				t.Fatalf("a test on lines %d to %d of %d", test.Line, test.End, got.Lines)
			}
			if _, err := json.Marshal(test); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkTenMegabytes reads 1,000 files of 10 kB, as fast as the design asks:
// under three seconds on one core.
func BenchmarkTenMegabytes(b *testing.B) {
	suite, err := os.ReadFile("testdata/triage/triage.test.ts")
	if err != nil {
		b.Fatal(err)
	}
	sibling := beside("testdata/triage")
	for b.Loop() {
		for range 10_000_000 / len(suite) {
			if _, err := javascript.Read("triage.test.ts", suite, sibling); err != nil {
				b.Fatal(err)
			}
		}
	}
}
