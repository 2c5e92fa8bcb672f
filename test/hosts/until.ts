/** Waits until a look finds something, and gives it back. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited four minutes in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
