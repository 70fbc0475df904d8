/** True if the text contains only white space, control characters and characters without a glyph. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
