import type { Dialect } from '../dialect'
import { nodeValue } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { isLineStart } from '../scan/fences'
import * as Char from '../text/char'
import { withoutForm } from './name-in-id'
import { wholeCall } from './whole-call'
import type { Arguments } from './whole-call'

/*
 * gpt-oss, in OpenAI's Harmony:
 *   <|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"/a"}<|call|>
 * The recipient may stand before the channel. Where a server took the tokens out, known tools only, at a line's start:
 *   commentary to=functions.read_file json{"path":"/a"}
 * What is said on the analysis channel is reasoning.
 */

const HEADER =
  /(?:<\|start\|>assistant)?(?:\s{0,3}to=([\w.-]{1,90}))?\s{0,3}<\|channel\|>\s{0,3}(?:commentary|final)(?:\s{1,3}to=([\w.-]{1,90}))?\s{0,3}(?:<\|constrain\|>)?\s{0,3}(?:json|code)?\s{0,3}<\|message\|>\s{0,9}(?=\{)/y
const STRIPPED =
  /(?:assistant)?(?:commentary\s{0,3})?to=functions\.([\w.-]{1,80})\s{0,3}(?:<\|channel\|>)?(?:commentary)?\s{0,3}(?:<\|constrain\|>)?(?:json|code)?\s{0,3}(?:<\|message\|>)?\s{0,3}(?=\{)/y
const STARTS = ['<|start|>assistant', '<|channel|>']
const CLOSERS = ['<|call|>', '<|end|>']

export const harmonyDialect: Dialect = {
  id: 'harmony',
  triggers: '<',
  starts: [...STARTS, 'assistant', 'commentary', 'to='],
  lineTriggers: 'act',
  fences: [],
  read(source, start, context) {
    const token = source.at(start) === Char.LESS
    if (token ? !STARTS.some((one) => source.has(start, one)) : !isLineStart(source, start)) return null
    const head = source.match(token ? HEADER : STRIPPED, start, 320)
    const written = (head?.[1] ?? head?.[2])?.replace(/^functions\./, '')
    const name = written === undefined ? '' : withoutForm(written, context.tools)
    if (!head || name === '' || (!token && !context.tools.match(name))) return null
    source.certain = { start, name }
    const reading = readJson(source, start + head[0].length, {
      guess: false,
      shape: context.tools.callShape.child('arguments', name),
    })
    if (reading.failure || reading.node?.kind !== 'object') return null
    const after = source.skipSpace(reading.end)
    const closer = CLOSERS.find((one) => source.has(after, one))
    const end = closer === undefined ? reading.end : after + closer.length
    const repairs = reading.repairs.map((repair) => repair.code)
    if (name !== written) repairs.push('name-normalised')
    return wholeCall(source, start, end, { name, arguments: nodeValue(reading.node) as Arguments, repairs }, context)
  },
}
