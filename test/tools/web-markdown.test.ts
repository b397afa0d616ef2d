// HTML as Markdown: what a reader would read, however the page is written, in time that grows with its length.
import { describe, expect, test } from "bun:test";
import { readable } from "../../src/tools/web-markdown.ts";
import { forSeeds } from "../support/random.ts";

const markdown = (html: string): string =>
  readable(html, { isPlain: false, base: "https://example.com/docs/" }).text;
const plain = (html: string): string =>
  readable(html, { isPlain: true, base: "https://example.com/docs/" }).text;

test.each([
  ["<h1>One <em>two</em></h1><h3>Three</h3>", "# One *two*\n\n### Three"],
  ["<p>a  b\n c</p><p>d<br>e</p>", "a b c\n\nd\ne"],
  ["<b> bold </b>and<i>it</i><code>x*y</code>", "**bold** and*it*`x*y`"],
  ["<a href='/a?x=1&amp;y=2'>link</a>", "[link](https://example.com/a?x=1&y=2)"],
  ["<a href='b'>rel</a> <a href='#c'>here</a>", "[rel](https://example.com/docs/b) here"],
  ["<a href='javascript:alert(1)'>js</a><a href='data:,x'>data</a>", "jsdata"],
  ["<ul><li>a<li>b <ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"],
  ["<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"],
  [
    "<pre><code>  if (a &lt; b) {\n    c();\n  }\n</code></pre>",
    "```\n  if (a < b) {\n    c();\n  }\n```",
  ],
  ["<blockquote><p>q</p></blockquote>", "> q"],
  ["<table><tr><th>A<th>B<tr><td>1<td><p>2</p></table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"],
  ["a<hr>b", "a\n\n---\n\nb"],
  ["<img src=i.png alt='a cat'><img src=x.png>", "![a cat](https://example.com/docs/i.png)"],
  ["<script>if(a<b){'<p>x'}</script><style>p{}</style><p>y", "y"],
  ["<nav><a href=/>Home</a></nav><main>text</main><svg><text>no</text></svg>", "text"],
  ["&lt;b&gt; &amp;amp; &#8364;&#x41;&nbsp;&hellip; &uuml; &nope; &", "<b> &amp; €A … ü &nope; &"],
  ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
  ["<p>never <b>closed <a href=/x>at all", "never **closed [at all](https://example.com/x)**"],
  ["</p></div></ul>text</b>", "text"],
  ["<p></p><h2></h2><ul><li></li></ul>", ""],
  ["", ""],
])("%s", (html, wanted) => {
  expect(markdown(html)).toBe(wanted);
});

test("as plain text it has no marks and no links", () => {
  expect(
    plain(
      "<h1>A</h1><p><b>b</b> <a href=/c>c</a> <code>d</code></p><ul><li>e</ul><pre>f\n g</pre>",
    ),
  ).toBe("A\n\nb c d\n\n- e\n\nf\n g");
});

test("the title is told apart from the text", () => {
  expect(
    readable("<html><head><title> A &amp;\n B </title></head><body>c</body></html>", {
      isPlain: false,
      base: "https://example.com/",
    }),
  ).toEqual({ title: "A & B", text: "c" });
});

describe("a page that was made to hurt", () => {
  test.each([
    ["marks", "<b>x"],
    ["boxes", "<div>x"],
    ["lists", "<ul><li>x"],
    ["quotes", "<blockquote>x"],
    ["tables", "<table><tr><td>x"],
    ["code", "<pre>\nx"],
    ["links", "<a href=/y>x"],
    ["signs", "&<"],
    ["titles", "<title>x"],
    ["unread parts", "<nav>x"],
  ])("of nothing but %s is read in bounds", (_, piece) => {
    const html = piece.repeat(Math.ceil(300_000 / piece.length));
    expect(markdown(html).length).toBeLessThan(20 * html.length);
  });

  test("of random pieces never throws", () => {
    const pieces =
      "<b> </b> <ul> <li> </ul> <pre> </pre> <table> <tr> <td> </table> <a/href=x> </a> <title> </title> <nav> </nav> <br> <!--x --> word & &amp; < > </ <p".split(
        " ",
      );
    forSeeds(500, (random) => {
      const html = Array.from({ length: random.int(40) }, () => random.pick(pieces)).join(
        random.pick(["", " ", "\n"]),
      );
      expect([html, typeof markdown(html), typeof plain(html)]).toEqual([html, "string", "string"]);
    });
  });
});
