// The chat's only effects: it carries keys, turn events and the clock to `update`, and carries out what that wants.
import type { Answer, Ask } from "../agent/confirm.ts";
import type { Asking, Choice, OpenPlace, Place } from "../app/place.ts";
import { sentence, type Result } from "../base/failure.ts";
import { environment } from "../host/env.ts";
import type { Key } from "../term/key.ts";
import { loadLexer, type Lex } from "../term/markdown.ts";
import { COLORED, PLAIN, wantsColor, type Style } from "../term/style.ts";
import type { Terminal } from "../term/terminal.ts";
import type { Entry } from "./entry.ts";
import { entryLines } from "./lines.ts";
import { askName, askSession, type Listed } from "./name-prompt.ts";
import { factsOf, farewell, opening, type Fixed } from "./start.ts";
import { initial, type State, type UiEvent, type Want } from "./state.ts";
import { update } from "./update.ts";
import { nextChange, view } from "./view.ts";

export type ChatOptions = {
  open: OpenPlace;
  /** Whether a new session could be opened: a model is named and has its key. */
  check: () => Promise<Result<unknown>>;
  /** `ask` shows the name prompt first, `pick` the list of sessions. */
  start: Choice | { kind: "ask" } | { kind: "pick" };
  /** A first prompt, sent at once. */
  prompt: string | null;
  sessions: () => Promise<Listed[]>;
  color: boolean;
  version: string;
};

type Questions = Parameters<Asking["inquire"]>[0];
type Inquired = Awaited<ReturnType<Asking["inquire"]>>;

const FRAME_MS = 16;
/** For so long servers keep a connection that is not used. */
const CONNECTED_MS = 60_000;
/** How long a turn may take to end after it was stopped by leaving. */
const LEAVE_MS = 2000;

export class Chat implements Disposable {
  readonly #options: ChatOptions;
  readonly #style: Style;
  readonly #fixed: Fixed;
  readonly #terminal: Terminal;
  readonly #left = Promise.withResolvers<number>();
  readonly #answers = new Map<Ask, (answer: Answer) => void>();
  readonly #inquiries = new Map<Questions, (inquired: Inquired) => void>();
  #place: Place;
  #state: State;
  readonly #work = new Set<Promise<void>>();
  #stop: AbortController | null = null;
  /** Ends the wait before a failed request is sent again. */
  #hurry: (() => void) | null = null;
  #lex: Lex | null = null;
  #unprinted: Entry[] = [];
  /** Another program (a prompt of clack) has the terminal. */
  #isAway = false;
  #frame: Timer | null = null;
  #wake: Timer | null = null;
  #drawnAt = -Infinity;
  #connectedAt = -Infinity;

  constructor(options: ChatOptions, terminal: Terminal, place: Place) {
    const env = environment();
    this.#options = options;
    this.#style = options.color && wantsColor(env) ? COLORED : PLAIN;
    this.#fixed = { version: options.version, home: env["HOME"] ?? null };
    this.#place = place;
    this.#terminal = terminal;
    this.#state = initial(factsOf(place, this.#fixed), terminal.size().columns);
    terminal.watch({
      key: (key) => this.#onKey(key),
      resized: () => this.#onResize(),
      resumed: () => this.#onResize(),
      ended: (code) => this.#left.resolve(code),
    });
  }

  async run(): Promise<number> {
    this.#dispatch(opening(this.#place, this.#fixed, true));
    const { prompt } = this.#options;
    if (prompt !== null) this.#dispatch({ type: "submit", text: prompt, at: now() });
    // After the state is the session's: keys that were typed ahead come at once.
    this.#terminal.take();
    const code = await this.#left.promise;
    await this.#leave();
    return code;
  }

  [Symbol.dispose](): void {
    if (this.#frame) clearTimeout(this.#frame);
    if (this.#wake) clearTimeout(this.#wake);
  }

  #dispatch(event: UiEvent): void {
    const { state, wants } = update(this.#state, event);
    this.#state = state;
    for (const want of wants) this.#carryOut(want);
    this.#schedule();
  }

  #carryOut(want: Want): void {
    switch (want.kind) {
      case "print":
        this.#unprinted.push(...want.entries);
        return;
      case "ask":
        this.#begin(this.#ask(want.prompt));
        return;
      case "stop":
        this.#stop?.abort();
        return;
      case "hurry":
        this.#hurry?.();
        return;
      case "answer":
        this.#answers.get(want.ask)?.(want.answer);
        return;
      case "inform":
        this.#inquiries.get(want.questions)?.(want.inquired);
        return;
      case "open":
        this.#begin(this.#open(want.choice));
        return;
      case "name":
        this.#begin(this.#chooseBy(() => askName(this.#terminal)));
        return;
      case "pick":
        this.#begin(this.#pick());
        return;
      case "redraw":
        this.#terminal.clear();
        return;
      case "suspend":
        this.#terminal.suspend();
        return;
      case "quit":
        this.#left.resolve(0);
    }
  }

  /** Work that goes on beside the keys; a bug in it ends the chat as the bug it is. */
  #begin(work: Promise<void>): void {
    const guarded = work.catch((error: unknown) => this.#left.reject(error));
    this.#work.add(guarded);
    void guarded.finally(() => this.#work.delete(guarded));
  }

  async #ask(prompt: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const asking = {
      signal: stop.signal,
      confirm: (ask: Ask, signal: AbortSignal) => this.#confirm(ask, signal),
      inquire: (questions: Questions, signal: AbortSignal) => this.#inquire(questions, signal),
      inbox: { take: () => this.#takeSteering() },
      pause: (ms: number, signal: AbortSignal) => this.#pause(ms, signal),
    };
    this.#lex ??= await loadLexer();
    let rested = now();
    for await (const event of this.#place.ask(prompt, asking)) {
      this.#dispatch({ type: "turn", event, at: now() });
      if (event.kind === "end" || (event.kind === "stored" && event.event.type === "model.usage")) {
        this.#dispatch({ type: "facts", facts: factsOf(this.#place, this.#fixed) });
      }
      // A stream that is always ready must not keep keys and frames waiting.
      if (now() - rested > FRAME_MS) {
        await Bun.sleep(0);
        rested = now();
      }
    }
    this.#connectedAt = now();
  }

  #confirm(ask: Ask, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const settle = (answer: Answer): void => {
      this.#answers.delete(ask);
      resolve(answer);
    };
    this.#answers.set(ask, settle);
    const abort = (): void => {
      settle({ kind: "stop" });
      this.#dispatch({ type: "unasked", ask, at: now() });
    };
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      this.#dispatch({ type: "asked", ask, at: now() });
    }
    return promise.finally(() => signal.removeEventListener("abort", abort));
  }

  #inquire(questions: Questions, signal: AbortSignal): Promise<Inquired> {
    const { promise, resolve } = Promise.withResolvers<Inquired>();
    this.#inquiries.set(questions, resolve);
    const abort = (): void => {
      resolve({ kind: "declined" });
      this.#dispatch({ type: "uninquired", questions, at: now() });
    };
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      this.#dispatch({ type: "inquired", questions, at: now() });
    }
    return promise.finally(() => {
      this.#inquiries.delete(questions);
      signal.removeEventListener("abort", abort);
    });
  }

  /** The wait before a failed request is sent again: the person may cut it short. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    this.#hurry = end;
    await promise;
    this.#hurry = null;
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }

  #takeSteering(): string[] {
    const texts = [...this.#state.steering];
    if (texts.length > 0) this.#dispatch({ type: "steered" });
    return texts;
  }

  async #open(choice: Choice): Promise<void> {
    const opened = await this.#options.open(choice);
    if (!opened.ok) {
      this.#dispatch({ type: "stayed", because: sentence(opened.failure) });
      return;
    }
    await this.#place.close();
    this.#place = opened.value;
    this.#dispatch(opening(opened.value, this.#fixed, false));
  }

  /** Lends the terminal to a prompt of clack; keys typed after its answer belong to the session that it opens. */
  async #chooseBy(choose: () => Promise<Choice | null>): Promise<void> {
    this.#isAway = true;
    const choice = await choose();
    if (choice === null) this.#dispatch({ type: "stayed", because: null });
    else await this.#open(choice);
    this.#isAway = false;
    this.#terminal.take();
    this.#schedule();
  }

  async #pick(): Promise<void> {
    const sessions = await this.#options.sessions();
    if (sessions.length === 0) {
      this.#dispatch({
        type: "stayed",
        because: "no session of this folder was found; /new begins one",
      });
      return;
    }
    await this.#chooseBy(() => askSession(this.#terminal, sessions));
  }

  #onKey(key: Key): void {
    this.#preconnect();
    this.#dispatch({ type: "key", key, at: now() });
  }

  /** Who types will ask: meanwhile the connection is made, and not again while one may still be open. */
  #preconnect(): void {
    if (this.#state.phase.kind !== "idle" || now() < this.#connectedAt + CONNECTED_MS) return;
    this.#connectedAt = now();
    this.#place.preconnect();
  }

  #onResize(): void {
    this.#dispatch({ type: "resize", columns: this.#terminal.size().columns });
  }

  #schedule(): void {
    if (this.#frame || this.#isAway) return;
    if (this.#wake) clearTimeout(this.#wake);
    this.#frame = setTimeout(() => this.#draw(), Math.max(0, this.#drawnAt + FRAME_MS - now()));
  }

  #draw(): void {
    if (this.#frame) clearTimeout(this.#frame);
    this.#frame = null;
    if (this.#isAway) return;
    const needsLexer = this.#unprinted.some((entry) => entry.kind === "prose");
    if (needsLexer && this.#lex === null) {
      this.#begin(this.#loadLexer());
      return;
    }
    this.#drawnAt = now();
    const size = this.#terminal.size();
    const screen = { ...size, style: this.#style, lex: this.#lex, now: this.#drawnAt };
    const page = { columns: size.columns - 1, style: this.#style, lex: this.#lex ?? (() => []) };
    const lines = this.#unprinted.flatMap((entry) => entryLines(entry, page));
    this.#unprinted = [];
    this.#terminal.show(lines, view(this.#state, screen));
    this.#sleep();
  }

  async #loadLexer(): Promise<void> {
    this.#lex = await loadLexer();
    this.#schedule();
  }

  /** A timer only where something will change by itself: an idle chat has none. */
  #sleep(): void {
    const due = nextChange(this.#state, now());
    if (due === null) return;
    const tick = (): void => this.#dispatch({ type: "tick", at: now() });
    this.#wake = setTimeout(tick, Math.max(1, due - now()));
  }

  async #leave(): Promise<void> {
    this.#stop?.abort();
    await within(LEAVE_MS, Promise.all(this.#work));
    this.#draw();
    const facts = factsOf(this.#place, this.#fixed);
    await this.#place.close();
    this.#terminal.clear();
    this.#terminal.print(["", ...farewell(facts)]);
  }
}

/** Waits for `work`, but not longer than `ms`. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

function now(): number {
  return performance.now();
}
