import type { Probe } from '../probe'
import { distractors } from './distractors'
import { hardArguments } from './hard-arguments'
import { mustAsk } from './must-ask'
import { needsResult } from './needs-result'
import { noneFits } from './none-fits'
import { oneCall } from './one-call'
import { oneOfSix } from './one-of-six'
import { paraphrase } from './paraphrase'
import { quotesExample } from './quotes-example'
import { stopsAfter } from './stops-after'
import { twoCalls } from './two-calls'

/** The probes that Nod brings, by kind. */
export const ownProbes: readonly Probe[] = [
  ...oneCall,
  ...oneOfSix,
  ...twoCalls,
  ...noneFits,
  ...mustAsk,
  ...needsResult,
  ...hardArguments,
  ...quotesExample,
  ...stopsAfter,
  ...paraphrase,
  ...distractors,
]
