// The answer as a terminal shows it: Markdown rendered to the width of the window.
import { terminalColumns } from "../host/terminal.ts";
import { BLOCKS, finish, push } from "../term/blocks.ts";
import { blockLines, loadLexer } from "../term/markdown.ts";
import { COLORED, PLAIN } from "../term/style.ts";

export async function renderAnswer(markdown: string, isColored: boolean): Promise<string> {
  const page = {
    columns: await terminalColumns(),
    style: isColored ? COLORED : PLAIN,
    lex: await loadLexer(),
  };
  const first = push(BLOCKS, markdown);
  const blocks = first.done.concat(finish(first.blocks).done);
  const lines = blocks.flatMap((block) => (block.gap ? [""] : []).concat(blockLines(block, page)));
  return `${lines.join("\n")}\n`;
}
