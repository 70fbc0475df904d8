import { loadXGrammar } from './load-xgrammar'

/** A grammar as XGrammar compiled it. */
export interface Compiled {
  /** True if a text is complete and matches the grammar; otherwise the byte at which it was refused. */
  readonly accepts: (text: string) => true | number
  readonly dispose: () => void
}

const STOP = 256
const encoder = new TextEncoder()

/** Compiles GBNF for a vocabulary of single bytes. Throws if XGrammar can't read a grammar. */
export async function createCompiler(): Promise<{
  readonly compile: (gbnf: string) => Promise<Compiled>
  readonly said: readonly string[]
}> {
  const { xgrammar, said } = loadXGrammar()
  const { TokenizerInfo, GrammarCompiler, GrammarMatcher } = xgrammar
  const bytes = Array.from({ length: STOP }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`)
  const info = await TokenizerInfo.createTokenizerInfo([...bytes, '</s>'], 'byte_fallback', false, STOP + 1, [STOP])
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false)
  return {
    said,
    async compile(gbnf) {
      const compiled = await compiler.compileGrammar(gbnf)
      const matcher = await GrammarMatcher.createGrammarMatcher(compiled)
      return {
        accepts(text) {
          matcher.reset()
          const units = encoder.encode(text)
          const refused = units.findIndex((unit) => !matcher.acceptToken(unit))
          if (refused >= 0) return refused
          return matcher.acceptToken(STOP) || units.length
        },
        dispose() {
          matcher.dispose()
          compiled.dispose()
        },
      }
    },
  }
}
