export function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
