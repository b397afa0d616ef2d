// A Jupyter notebook as its cells, with the text of their outputs.
import * as v from "valibot";
import { plainText } from "../base/plain.ts";

const Text = v.union([v.string(), v.array(v.string())]);
const Out = v.looseObject({
  text: v.optional(Text),
  data: v.optional(v.record(v.string(), v.unknown())),
  ename: v.optional(v.string()),
  evalue: v.optional(v.string()),
});
const Notebook = v.looseObject({
  cells: v.array(
    v.looseObject({ cell_type: v.string(), source: Text, outputs: v.optional(v.array(Out)) }),
  ),
});

const MAX_OUTPUT_CHARS = 2000;

/** Lines; null where the text is no notebook. */
export function notebookLines(json: string): string[] | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Notebook), json);
  if (!parsed.success) return null;
  const cells = parsed.output.cells.map((cell, index) => {
    const outputs = (cell.outputs ?? []).map((output) => `[output]\n${outputText(output)}`);
    const head = `[cell ${index + 1}, ${cell.cell_type}]`;
    return [head, joined(cell.source), ...outputs].join("\n");
  });
  return cells.join("\n").split("\n");
}

function outputText(output: v.InferOutput<typeof Out>): string {
  if (output.ename !== undefined) return plainText(`${output.ename}: ${output.evalue ?? ""}`);
  const data = output.data ?? {};
  const plain = v.safeParse(Text, data["text/plain"]);
  if (output.text === undefined && !plain.success) return `(${Object.keys(data).join(", ")})`;
  // Programs print for a terminal: colours, and progress that overwrites itself.
  const text = plainText(joined(output.text ?? (plain.success ? plain.output : ""))).trimEnd();
  return text.length > MAX_OUTPUT_CHARS ? `${text.slice(0, MAX_OUTPUT_CHARS)}…` : text;
}

function joined(text: v.InferOutput<typeof Text>): string {
  return typeof text === "string" ? text : text.join("");
}
