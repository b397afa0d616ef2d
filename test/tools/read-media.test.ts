// Reading pictures, sound and documents: as parts for a model that takes them, else with the way on.
import { expect, test } from "bun:test";
import { EVERYTHING, NOTHING_BUT_TEXT } from "../../src/model/accepts.ts";
import { readTool } from "../../src/tools/read.ts";
import type { Kit } from "../../src/tools/tool.ts";
import { jpeg, png } from "../support/pictures.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

const PDF = Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const MP3 = Buffer.concat([Buffer.from("ID3\x04\0\0\0"), Buffer.alloc(50)]);
const blind: Partial<Kit> = {
  media: { accepts: () => Promise.resolve(NOTHING_BUT_TEXT), held: () => 0 },
};

test("a picture follows as a part, whatever the file is called", async () => {
  const bytes = png(64, 32);
  using tree = tempTree({ "picture.txt": bytes });
  await using kit = toolKit(tree.root);
  expect(await call(readTool, { path: "picture.txt" }, kit)).toEqual({
    parts: [
      {
        type: "text",
        text: `[PNG image, ${bytes.length} bytes, 64 × 32 pixels: it follows as picture.txt]`,
      },
      {
        type: "image",
        mediaType: "image/png",
        data: bytes.toString("base64"),
        name: "picture.txt",
      },
    ],
    isError: false,
    summary: `PNG image, ${bytes.length} bytes`,
  });
});

test("the text tells how a picture was scaled, so that places in it can be found again", async () => {
  using tree = tempTree({ a: png(4000, 1000) });
  await using kit = toolKit(tree.root);
  expect(await textOf(readTool, { path: "a" }, kit)).toContain(
    "4000 × 1000 pixels, sent as 2000 × 500: it follows as a]",
  );
});

test("documents and sound follow as parts", async () => {
  using tree = tempTree({ "a.pdf": PDF, "b.mp3": MP3 });
  await using kit = toolKit(tree.root);
  const output = await call(readTool, { files: ["a.pdf", "b.mp3"] }, kit);
  expect(typeof output === "string" ? output : output.parts.slice(1)).toEqual([
    { type: "file", mediaType: "application/pdf", data: PDF.toString("base64"), name: "a.pdf" },
    { type: "audio", mediaType: "audio/mpeg", data: MP3.toString("base64"), name: "b.mp3" },
  ]);
});

test("a model that takes none of them is told what they are and how to go on", async () => {
  using tree = tempTree({ "it's.pdf": PDF, "b.mp3": MP3, "c.png": png(2, 2) });
  await using kit = toolKit(tree.root, blind);
  const pdf = `'${tree.root}/it'\\''s.pdf'`;
  expect(await textOf(readTool, { path: "it's.pdf" }, kit)).toBe(
    `[PDF document, 35 bytes, not shown: this model takes no documents; get its text with bash: pdftotext -layout ${pdf} -]`,
  );
  expect(await textOf(readTool, { path: "b.mp3" }, kit)).toBe(
    "[MP3 audio, 57 bytes, not shown: this model takes no audio; transcribe it with a command, or ask the user what b.mp3 says]",
  );
  expect(await textOf(readTool, { path: "c.png" }, kit)).toContain(
    "not shown: this model takes no images; read what it says with a command such as tesseract",
  );
});

test("a text that begins like a sound is a text", async () => {
  using tree = tempTree({ a: "ID3 tags hold the title\n" });
  await using kit = toolKit(tree.root);
  expect(await textOf(readTool, { path: "a" }, kit)).toBe("1\tID3 tags hold the title");
});

test("a conversation holds only so much media, counted over calls and within one", async () => {
  using tree = tempTree({ a: await jpeg(1800, 1800, 1), b: png(8, 8), c: png(8, 9), d: png(8, 7) });
  const full = {
    accepts: () => Promise.resolve(EVERYTHING),
    held: () => 24 * 1024 * 1024 - 200,
  };
  await using kit = toolKit(tree.root, { media: full });
  expect(await textOf(readTool, { path: "a" }, kit)).toContain("as a request may carry");
  expect(await textOf(readTool, { path: "b" }, kit)).toContain("it follows");
  kit.seen.forgetShown();
  expect(await textOf(readTool, { files: ["b", "c", "d"] }, kit)).toMatch(
    /follows as b\][^]*follows as c\][^]*may carry/,
  );
});

test("a file of more than 20 MB is not sent", async () => {
  using tree = tempTree({ a: Buffer.concat([PDF, Buffer.alloc(20 * 1024 * 1024)]) });
  await using kit = toolKit(tree.root);
  expect(await textOf(readTool, { path: "a" }, kit)).toContain(
    "not shown: more than 20 MB; get its text",
  );
});

test("several paths in one text are taken apart where all of them exist and the whole does not", async () => {
  using tree = tempTree({ a: "1\n", b: "2\n", "c d": "3\n", c: "4\n", d: "5\n" });
  await using kit = toolKit(tree.root);
  expect(await textOf(readTool, { path: "a\n b" }, kit)).toBe("== a ==\n1\t1\n\n== b ==\n1\t2");
  expect(await textOf(readTool, { path: "c d" }, kit)).toBe("1\t3");
  expect(await textOf(readTool, { path: "a gone" }, kit)).toStartWith(
    `${tree.path("a gone")} does not exist`,
  );
});
