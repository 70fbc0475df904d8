import { type Neutraliser, elementFrames } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { writeJson, isPlaceholder } from '../arguments/write-json'
import { RESULT_TAG, TAG } from './markup'

/** Longer texts are written between tags. */
const MAX_ATTRIBUTE = 200
const PLAIN_KEY = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u
/** Element names that are reserved by the block itself. */
const RESERVED = /^(param|parameter|tool_action.*)$/i

/**
 * One element per call, one element per parameter: `<tool_action name="read_file"><path value="/a" /></tool_action>`.
 */
export function formatCalls(calls: readonly CallToWrite[]): string {
  return calls
    .map(({ name, arguments: args }) => {
      const open = `<${TAG} name="${encoded(name)}"`
      const elements = Object.entries(args).map(([key, value]) =>
        elementOf(key, typeof value === 'string' ? value : writeJson(value), typeof value === 'string'),
      )
      return elements.length === 0 ? `${open} />` : `${open}>\n${elements.join('\n')}\n</${TAG}>`
    })
    .join('\n')
}

/** The element of a parameter: `open` is its opening tag up to where the value may follow. */
export function elementFor(key: string): { readonly tag: string; readonly open: string } {
  const plain = PLAIN_KEY.test(key) && !RESERVED.test(key)
  return plain ? { tag: key, open: `<${key}` } : { tag: 'param', open: `<param name="${encoded(key)}"` }
}

function elementOf(key: string, value: string, isText: boolean): string {
  const { tag, open } = elementFor(key)
  if (isText && isPlaceholder(value)) return `${open} value="&#${value.charCodeAt(0)};${value.slice(1)}" />`
  const inline = isText ? value.length <= MAX_ATTRIBUTE && !value.includes('\n') : !/["<&]/.test(value)
  if (inline) return `${open} value="${encoded(value)}" />`
  return `${open}>${contentOf(value)}</${tag}>`
}

/** Adds a newline at each end if needed: between tags, one at each end is not part of a value. */
function contentOf(value: string): string {
  // A bracket at the edge would look like one of the section's marks.
  const lines = /[\r\n]|^\[|\]$/.test(value)
  const padded = `${lines ? '\n' : ''}${value}${lines && !value.endsWith('\r') ? '\n' : ''}`
  if (!/[<&]/.test(value) && !padded.startsWith('>')) return padded
  // With a section mark inside a section, the end would be ambiguous.
  return /\]\]>|<!\[CDATA\[/.test(value) ? encoded(padded) : `<![CDATA[${padded}]]>`
}

const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '"': 'quot', '<': 'lt', '>': 'gt' }
export const encoded = (text: string): string => text.replaceAll(/[&"<>]/g, (char) => `&${NAMES[char] ?? ''};`)

export const formatResults = (
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => elementFrames(RESULT_TAG, results, boundary, neutralise)
