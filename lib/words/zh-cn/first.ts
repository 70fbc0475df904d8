import { baseZh } from './base'
import { callsZh } from './calls'
import { lineZh } from './chat-line'
import { rowsZh } from './chat-rows'
import { clientZh } from './client'
import { failuresZh } from './failures'
import { frameZh } from './frame'
import { languageZh } from './language'
import { queueZh } from './queue'
import { roundsZh } from './rounds'
import { threadZh } from './thread'
import { uiPartsZh } from './ui-parts'
import { useZh } from './use'
import { waitingZh } from './waiting'
import { windowZh } from './window'

/** What the first screen may say, also while the network is away. */
export const firstWords = {
  ...baseZh,
  ...callsZh,
  ...clientZh,
  ...failuresZh,
  ...frameZh,
  ...languageZh,
  ...lineZh,
  ...queueZh,
  ...roundsZh,
  ...threadZh,
  ...rowsZh,
  ...uiPartsZh,
  ...useZh,
  ...waitingZh,
  ...windowZh,
}
