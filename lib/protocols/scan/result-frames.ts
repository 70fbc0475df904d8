import type { ResultFrame } from '../types/strategy-facts'
import * as Char from '../text/char'
import type { Source } from '../text/source'
import { literalPattern } from './literal-pattern'
import { readTag } from './tags'
import type { Region } from './regions'

/** Ids and names of any length, in character references, stand in the opener of a frame. No look goes past the next `<`. */
const MAX_FRAME_OPENER = 100_000
/** Elements in which other tools' chats put results. */
const FOREIGN_ELEMENTS = ['tool_response', 'function_results', 'tool_output']

/** How results are framed, in all strategies and beyond them: what is echoed or invented is never a call. */
export interface ResultFrames {
  /** Characters at which a frame may end. */
  readonly closers: string
  /** The opener of a frame at `i`, the first of its line. */
  readOpener(source: Source, i: number, afterCall: boolean): { readonly region: Region; readonly end: number } | null
  /** Whether a result, or another one's turn, begins in a text that was taken for the rest of a broken call. */
  holdsAnswer(text: string): boolean
}

export function createResultFrames(frames: readonly ResultFrame[]): ResultFrames {
  const elements = [...frames.flatMap((frame) => (frame.kind === 'element' ? frame.name : [])), ...FOREIGN_ELEMENTS]
  const blocks = frames.filter((frame) => frame.kind === 'block')
  const objects = frames.filter((frame) => frame.kind === 'object')
  const blockOpeners = new Set(blocks.map(({ open }) => open.charCodeAt(0)))
  const answer = new RegExp(
    `^[ \\t]{0,8}(?:[#*]{0,4}[ \\t]{0,2}(?:observation|观察(?:结果)?)[*]{0,2}[ \\t]{0,8}[:：]|<(?:${elements.join('|')})\\b${blocks.map(({ open }) => `|${literalPattern(open)}`).join('')})` +
      (objects.length === 0 ? '' : `|^\\{\\s{0,8}(?:${objects.map(objectOpener).join('|')})`) +
      '|\\n[ \\t\\r]{0,8}\\n(?:Human|User|用户)[:：]|<\\|(?:im_start|im_end|eot_id|endoftext)\\|>',
    'im',
  )
  return {
    closers: blocks.map(({ close }) => close.charAt(0)).join(''),
    readOpener(source, i, afterCall) {
      // Asked at every line: most begin with neither.
      const unit = source.at(i)
      const block = blockOpeners.has(unit) ? blocks.find(({ open }) => source.has(i, open)) : undefined
      if (block) {
        const { open, close } = block
        const closes = (inner: Source, at: number) => (inner.has(at, close) ? at + close.length : null)
        return { region: { kind: 'frame', closes }, end: i + open.length }
      }
      if (unit !== Char.LESS) return null
      for (const name of elements) {
        const tag = readTag(source, i, name, false, MAX_FRAME_OPENER)
        // A bare mention at the start of a line is no frame, unless a call stands before it.
        if (!tag || (!afterCall && !/=/.test(tag.attributes))) continue
        const closes = (inner: Source, at: number) => readTag(inner, at, name, true)?.end ?? null
        return { region: { kind: 'frame', closes }, end: tag.end }
      }
      return null
    },
    holdsAnswer: (text) => answer.test(text),
  }
}

const objectOpener = ({ key, value }: Extract<ResultFrame, { kind: 'object' }>): string =>
  value === undefined
    ? `"${literalPattern(key)}"`
    : `"${literalPattern(key)}"\\s{0,8}:\\s{0,8}"${literalPattern(value)}"`
