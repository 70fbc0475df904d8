/** The text has nothing that a reader sees: white space, control characters and characters without a glyph alone. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
