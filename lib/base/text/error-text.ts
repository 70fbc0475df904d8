/** What was thrown, as text for a sentence: anything can be thrown. */
export const errorText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
