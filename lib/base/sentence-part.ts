/** A sentence in parts, so that paths and names are set in code type. */
export type SentencePart = string | { readonly code: string }
