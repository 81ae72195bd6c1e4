package syntax_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docket/engine/legacy/javascript/syntax"
)

// texts are the strings of a tree, in the order of the source.
func texts(t *syntax.Tree) []string {
	var list []string
	for _, n := range t.Body {
		syntax.Walk(n, func(n *syntax.Node) bool {
			if n.Kind == syntax.String {
				list = append(list, n.Text)
			}
			return true
		})
	}
	return list
}

func TestTypesAreSeenThrough(t *testing.T) {
	for _, source := range []string{
		`const a: Map<string, Array<{x: number}>>= f('v');`,
		`function f<T extends { a: string }>(this: Window, x?: T, ...rest: unknown[]): asserts x is T { g('v') }`,
		`const f = async <T,>(x: T): Promise<T | undefined> => g('v');`,
		`const y = (x as unknown as Foo<Bar[]>).z!.go<Baz>('v') satisfies Quux;`,
		`const z = <Foo>g('v');`,
		`abstract class A<T> extends B<T> implements C, D<E> { private readonly x: string = 'v'; [key: string]: unknown; abstract m(): void; constructor(private a: string, @Inject() public b?: number) { super() } }`,
		`@Component({ name: 'v' }) export class X { @Input() y!: string; get z(): number { return 1 } static { h() } }`,
		`type F<T> = T extends (infer U)[] ? { [K in keyof U]: U[K] } : never; g('v')`,
		"interface I extends J<K>, L { m<T>(x: T): `a${string}`; readonly p?: () => void }\ng('v')",
		`declare module "x" { export function y(): void }` + "\ng('v')",
		`declare global { interface Window { a: 1 } }` + "\ng('v')",
		`export const enum E { A = 'v', B }`,
		`namespace N.M { export const x = 'v' }`,
		`import type { A } from "a"; import b, { type C, d as e } from "b"; export type { A }; export * as q from "c"; g('v')`,
		`let u: typeof import("x").y[number] | (new () => void), w: unique symbol = g('v')`,
		`const c = a < b ? d : (e) => 'v'`,
		`if (a < b && c > (d)) { g('v') }`,
		`function over(a: string): void; function over(a: number): void; function over(a: any) { g('v') }`,
		`for (const [k, v] of Object.entries<string>(x)) g('v')`,
		`const k = x ? (y) : z; g('v')`,
		`export default abstract class Q {}` + "\ng('v')",
		`const fn = function* <T>(x: T) { yield* g('v'); yield; }`,
		`try { g('v') } catch (e: unknown) {}`,
		`using x = open('v');`,
		`label: for (;;) { break label }` + "\ng('v')",
		`const d = a! / 2; g('v'); const e = b / 2;`,
		`f(x)<Y>('v')`,
	} {
		tree := syntax.Parse([]byte(source), syntax.TypeScript)
		for _, p := range tree.Problems {
			t.Errorf("%s\nat %d: %s", source, p.Offset, p.Message)
		}
		if !slices.Contains(texts(tree), "v") && !strings.Contains(source, "@Component") {
			t.Errorf("%s\nthe string is not found", source)
		}
	}
}

func TestStrings(t *testing.T) {
	for source, want := range map[string]string{
		`'it\'s'`:                           "it's",
		`"\x41\u0042\u{1F600}\ud83d\ude00"`: "AB😀😀",
		"'a\\\nb'":                          "ab",
		"`a\r\nb`":                          "a\nb",
		`"\101\0"`:                          "A\x00",
		`"\q"`:                              "q",
		`'日本語'`:                             "日本語",
	} {
		tree := syntax.Parse([]byte("f("+source+")"), syntax.JavaScript)
		if got := texts(tree); len(got) != 1 || got[0] != want || len(tree.Problems) != 0 {
			t.Errorf("%s is read as %q, %v, not %q", source, got, tree.Problems, want)
		}
	}
}

func TestHalfACharacterIsTold(t *testing.T) {
	tree := syntax.Parse([]byte(`f("\ud83d")`), syntax.JavaScript)
	if n := tree.Body[0].Kid(0).Args()[0]; !n.Lossy {
		t.Errorf("half a surrogate pair is read as %q and nothing is said", n.Text)
	}
}

func TestSlashes(t *testing.T) {
	for source, want := range map[string]int{
		`a / b / c`: 0, `x = /a[/]b/g.test(y)`: 1, `if (x) /re/.test(y)`: 1, `f(a) / 2 / 3`: 0, `return /x/`: 1,
		`a[0] / 2 /1`: 0, `x = {} / 2`: 0, `() => {}` + "\n" + `/re/.test(x)`: 1, `a++ / 2 / 1`: 0, `x.return / 2 / 1`: 0,
		"`${a / b}` / 2": 0, `!/x/.test(a)`: 1, `typeof /x/`: 1,
	} {
		tree := syntax.Parse([]byte(source), syntax.JavaScript)
		got := 0
		for _, n := range tree.Body {
			syntax.Walk(n, func(n *syntax.Node) bool {
				if n.Kind == syntax.Regexp {
					got++
				}
				return true
			})
		}
		if got != want || len(tree.Problems) > 0 {
			t.Errorf("%s has %d patterns, not %d: %v", source, got, want, tree.Problems)
		}
	}
}

func TestElementsArePassedOver(t *testing.T) {
	source := `const a = <p title="it's">Don't {f("x", <b>isn't</b>)} stop<br/></p>; g('v'); const h = <T,>(x: T) => x; const i = <></>; const j = a < b; k('w')`
	tree := syntax.Parse([]byte(source), syntax.TypeScriptJSX)
	if len(tree.Problems) > 0 {
		t.Fatal(tree.Problems)
	}
	if got := texts(tree); !slices.Equal(got, []string{"v", "w"}) {
		t.Errorf("the strings are %q", got)
	}
}

func TestReadingGoesOnBehindAnError(t *testing.T) {
	source := `
it('one', () => { expect(a).toBe('1'); });
it('two', () => {
  const x = ;
  expect(b).toBe('2'
  expect(c).toBe('3');
});
it('three', () => { expect(d).toBe("4); });
it('four', () => { expect(e).toBe('5'); });
`
	tree := syntax.Parse([]byte(source), syntax.JavaScript)
	if len(tree.Problems) == 0 {
		t.Error("no problem is told")
	}
	got := texts(tree)
	for _, want := range []string{"one", "two", "3", "four", "5"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q was lost behind an error: %q, %v", want, got, tree.Problems)
		}
	}
}

// Hostile sources end soon, whatever they nest; each is large enough to hang a
// reader that goes over it again and again.
func TestDeepNesting(t *testing.T) {
	for _, piece := range []string{"(", "[", "{", "<", "a<", "`${", "<a>{", "a?", "x=>", "!", "new ", "if(a)", "f(", "(a:", "{a:", "- ", "a.b(", "<a x={", "class A{m(){", "async(", "@a ", "1?(a):"} {
		for _, dialect := range []syntax.Dialect{syntax.JavaScript, syntax.TypeScript, syntax.TypeScriptJSX} {
			tree := syntax.Parse([]byte(strings.Repeat(piece, 5_000)), dialect)
			if tree == nil {
				t.Error(piece)
			}
		}
	}
}

func TestLines(t *testing.T) {
	tree := syntax.Parse([]byte("a\r\nb\nc"), syntax.JavaScript)
	if tree.Lines() != 3 || tree.Line(3) != 2 || tree.Line(5) != 3 || tree.LineSpan(2, 3) != "b\nc" {
		t.Errorf("%d lines; %d, %d; %q", tree.Lines(), tree.Line(3), tree.Line(5), tree.LineSpan(2, 3))
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"it.each`\na | b\n${1} | ${'x'}\n`('t', ({a}) => {})", `const f = <T,>(x: T): x is T => y`, `<a b={`, "`${`${", "/*", "/[", `"\u{`, "@", "#!", "class { static #x = 1 }",
		"a?.[b]?.(c)!", "enum A { 'b' = 1 << 2 }", "export { a as b } from 'c'", "for await (const x of y) {}", "0777 1_000n .5e-3", "\ufeff'a'", "x = y as any < z", "type A = B<C>=1", "`\\",
	} {
		f.Add([]byte(seed), byte(0))
		f.Add([]byte(seed), byte(2))
	}
	f.Fuzz(func(t *testing.T, source []byte, dialect byte) {
		tree := syntax.Parse(source, syntax.Dialect(dialect%3))
		for _, n := range tree.Body {
			syntax.Walk(n, func(n *syntax.Node) bool {
				if n.Start < 0 || n.End < n.Start || n.End > len(source) {
					t.Fatalf("a node lies at %d to %d of %d bytes", n.Start, n.End, len(source))
				}
				return true
			})
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var source strings.Builder
	for i := 0; source.Len() < 1_000_000; i++ {
		fmt.Fprintf(&source, "it('keeps the number %d', async () => {\n  const out: Summary<string> = await assistant.summarise(`ticket ${TICKETS[%d]}`, { locale: 'en-GB' });\n  expect(out.text.toLowerCase()).toMatch(/%d( EUR)?/i);\n});\n", i, i, i)
	}
	b.SetBytes(int64(source.Len()))
	for b.Loop() {
		if tree := syntax.Parse([]byte(source.String()), syntax.TypeScript); len(tree.Problems) > 0 {
			b.Fatal(tree.Problems[0])
		}
	}
}
