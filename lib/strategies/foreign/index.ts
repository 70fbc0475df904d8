import type { Dialect } from '../dialect'
import { actionJsonDialect } from './action-json'
import { bareJsonDialect } from './bare-json'
import { cherryDialect } from './cherry'
import { cohereDialect } from './cohere'
import { gemmaDialect } from './gemma'
import { glmDialect } from './glm'
import { harmonyDialect } from './harmony'
import { invokeDialect } from './invoke'
import { jsonMarkedDialects } from './json-marked'
import { minimaxDialect } from './minimax'
import { gemmaPythonDialect, lfmDialect, pythonicDialect } from './python-call'
import { pythonReplyDialect } from './python-reply'
import { qwenDialect } from './qwen'
import { reactDialect } from './action-input'

/**
 * Dialects that models were trained on and fall back to. Their calls are recognised so that they show as a card rather
 * than as raw text; they are foreign under every strategy. The bare object comes last: any markup around it says more.
 */
export const foreignDialects: readonly Dialect[] = [
  qwenDialect,
  glmDialect,
  ...jsonMarkedDialects,
  invokeDialect,
  cherryDialect,
  gemmaDialect,
  gemmaPythonDialect,
  lfmDialect,
  minimaxDialect,
  harmonyDialect,
  cohereDialect,
  reactDialect,
  actionJsonDialect,
  pythonicDialect,
  pythonReplyDialect,
  bareJsonDialect,
]
