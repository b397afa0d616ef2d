// Money for people: US dollars, to the hundredth of a cent where they are few.

/** `$0.0021`, `$12.50`; `—` where a price is unknown, never 0. */
export function usd(amount: number | null): string {
  if (amount === null) return "—";
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
