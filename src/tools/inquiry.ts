// Questions to the person, as tools ask them and front ends answer them.

export type Inquiry = {
  /** One or two words that name the subject; empty where the model gave none. */
  header: string;
  question: string;
  options: readonly { label: string; description: string }[];
  /** Several options may be chosen. */
  multi: boolean;
};

export type Inquired =
  /** For each question what was chosen or written. */
  | { kind: "answered"; answers: readonly (readonly string[])[] }
  | { kind: "declined" }
  /** There is nobody to ask. */
  | { kind: "nobody" };

export type Inquire = (questions: readonly Inquiry[], signal: AbortSignal) => Promise<Inquired>;

export const NOBODY: Inquire = () => Promise.resolve({ kind: "nobody" });
