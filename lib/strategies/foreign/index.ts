import type { Dialect } from '../dialect'
import { jsonMarkedDialects } from './json-marked'
import { gemmaPythonDialect } from './python-call'
import { anthropicDialect, cherryDialect, deepseekMarkupDialect, qwenDialect } from './tagged'

/**
 * Dialects that models were trained on and fall back to. Their calls are recognised so that they show as a card rather
 * than as raw text; they are foreign under every strategy.
 */
export const foreignDialects: readonly Dialect[] = [
  qwenDialect,
  ...jsonMarkedDialects,
  anthropicDialect,
  deepseekMarkupDialect,
  cherryDialect,
  gemmaPythonDialect,
]
