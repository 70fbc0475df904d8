/** The parser inside sucrase; the package has no types for this path. */
declare module 'sucrase/dist/esm/parser' {
  interface ParserToken {
    readonly type: number
    readonly start: number
    readonly end: number
    /** The number of enclosing brackets and functions. */
    readonly scopeDepth: number
    readonly isType: boolean
    /** 2: declared at the top level. */
    readonly identifierRole: number | null
  }
  /** Throws a SyntaxError with `loc: { line, column }`. */
  export function parse(
    code: string,
    isJsx: boolean,
    isTypeScript: boolean,
    isFlow: boolean,
  ): { readonly tokens: readonly ParserToken[] }
}

declare module 'sucrase/dist/esm/parser/tokenizer/types' {
  export const TokenType: Readonly<
    Record<
      | '_import'
      | '_export'
      | '_default'
      | '_function'
      | '_const'
      | '_let'
      | '_var'
      | 'semi'
      | 'bracketL'
      | 'bracketR'
      | 'dollarBraceL'
      | 'name'
      | 'string'
      | 'dot'
      | 'eq'
      | 'star'
      | 'comma'
      | 'parenL'
      | 'parenR'
      | 'braceL'
      | 'braceR'
      | 'questionDot',
      number
    >
  >
}
