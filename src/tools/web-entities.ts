// Character references of HTML as the characters they stand for.

/** The names for the code points from 160 on, in their order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const FIRST_LATIN = 160;

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(" ").map((name, at): [string, string] => [
    name,
    String.fromCodePoint(FIRST_LATIN + at),
  ]),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    lsaquo: "‹",
    rsaquo: "›",
    bull: "•",
    dagger: "†",
    permil: "‰",
    prime: "′",
    euro: "€",
    trade: "™",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    harr: "↔",
    rArr: "⇒",
    minus: "−",
    infin: "∞",
    asymp: "≈",
    ne: "≠",
    le: "≤",
    ge: "≥",
    check: "✓",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    zwnj: "\u200c",
    zwj: "\u200d",
    lbrace: "{",
    rbrace: "}",
    lbrack: "[",
    rbrack: "]",
    lpar: "(",
    rpar: ")",
    num: "#",
    colon: ":",
    semi: ";",
    comma: ",",
    period: ".",
    sol: "/",
    bsol: "\\",
    lowbar: "_",
    grave: "`",
    equals: "=",
    plus: "+",
    excl: "!",
    quest: "?",
    percnt: "%",
    dollar: "$",
    commat: "@",
    ast: "*",
    vert: "|",
    Tab: "\t",
    NewLine: "\n",
  }),
]);
const MAX_CODE_POINT = 0x10_ff_ff;

/** References that are not known stay as they are. */
export function withoutReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,9}));?/gi,
    (whole, hex, decimal, name) => {
      if (typeof name === "string") return NAMED.get(name) ?? whole;
      const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
      return characterOf(code);
    },
  );
}

function characterOf(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > MAX_CODE_POINT || isSurrogate ? "\ufffd" : String.fromCodePoint(code);
}
