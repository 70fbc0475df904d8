import type { BranchTexts, CallMark, CallMarks, LinedPlace, UntrustedText } from './branch-origin'
import { beginMarking, userText, type CallToMark, type OriginMark, type Source, type UserText } from './origin-mark'
import { tellsToFollow } from './requests'
import { indexText, normalize, type TextIndex } from './text-index'

/** Marks the calls of a reply, and caches the indexes of its texts. */
export interface OriginMarker {
  /**
   * By slot; a call without an entry is not marked. `scope`: whose texts these are. Rejects only if memory runs out.
   */
  marks(request: MarkRequest, scope?: string): Promise<CallMarks>
}

export interface MarkRequest extends BranchTexts {
  readonly calls: readonly SlotToMark[]
}

interface SlotToMark {
  readonly slot: number
  readonly call: CallToMark
}

/** Characters that are indexed without a pause: some 20 ms on a slow machine. */
const PIECE = 16_000
/** Characters of texts whose indexes are cached; some 4.5 bytes each. */
const MAX_KEPT = 4_000_000
const MAX_VALUES = 50
const MAX_KNOWN_WORDS = 8

/** `breathe` pauses for other work between two pieces; left out: there is no pause. */
export function createOriginMarker(breathe: () => Promise<void> = async () => {}): OriginMarker {
  /** Least recently used first. */
  const kept = new Map<string, { readonly pieces: readonly TextIndex[]; readonly size: number }>()
  let size = 0

  /** The latest user texts: each call of a reply comes with the same ones. */
  const knownWords = new Map<string, UserText>()
  function wordsOf(texts: readonly string[]): UserText {
    const key = texts.join('\n')
    const words = knownWords.get(key) ?? userText(texts)
    if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear()
    knownWords.set(key, words)
    return words
  }

  async function piecesOf({ key, text, isDescription }: UntrustedText, scope: string) {
    const full = `${scope} ${key} ${text.length}`
    const known = kept.get(full)
    if (known) {
      kept.delete(full)
      kept.set(full, known)
      return known.pieces
    }
    const pieces: TextIndex[] = []
    for (const piece of piecesIn(text)) {
      await breathe()
      pieces.push(indexText(piece, isDescription ? 'descriptions' : 'all'))
    }
    if (!kept.has(full)) {
      kept.set(full, { pieces, size: text.length })
      size += text.length
    }
    for (const [oldest, { size: freed }] of kept) {
      if (size <= MAX_KEPT) break
      kept.delete(oldest)
      size -= freed
    }
    return pieces
  }

  return {
    async marks({ userTexts, untrusted, calls }, scope = '') {
      const words = wordsOf(userTexts)
      const sources: (Source<UntrustedText> & { readonly isDescriptionOf: string | null })[] = []
      for (const text of untrusted) {
        const isNamed = text.names.length > 0 || text.kinds.length > 0
        const followed = isNamed && tellsToFollow(words, text.names, text.kinds)
        const isDescriptionOf = text.place.kind === 'description' ? text.place.tool : null
        const repeats = text.repeats.map(normalize)
        for (const index of await piecesOf(text, scope)) {
          sources.push({ place: text, index, followed, repeats, isDescriptionOf })
        }
      }
      const marks = new Map<number, CallMark>()
      for (const { slot, call } of calls) {
        const marking = beginMarking<UntrustedText>(call, words)
        for (const source of sources) {
          // A tool's own description was approved with it.
          if (source.isDescriptionOf === call.name) continue
          await breathe()
          marking.add(source)
        }
        marks.set(slot, withLines(marking.end()))
      }
      return marks
    },
  }
}

/** Split at line breaks, else between two sentences, else between two words. */
function piecesIn(text: string): readonly string[] {
  const pieces: string[] = []
  let at = 0
  while (text.length - at > PIECE) {
    const rest = text.slice(at, at + PIECE)
    const cuts = ['\n', '. ', ' '].map((end) => rest.lastIndexOf(end) + end.length)
    const cut = cuts.find((one) => one > PIECE / 2) ?? PIECE
    pieces.push(rest.slice(0, cut))
    at += cut
  }
  return [...pieces, text.slice(at)]
}

function withLines({ loud, values }: OriginMark<UntrustedText>): CallMark {
  return {
    loud: loud && { ...loud, order: asWritten(loud.place.text, loud.order), place: lined(loud.place, loud.order) },
    // For a description, words that any call may contain.
    values: values
      .filter(({ place }) => !place.isDescription)
      .slice(0, MAX_VALUES)
      .map(({ value, place }) => ({ value, place: lined(place, value) })),
  }
}

/** The sentence as written in the text; the index of a mention has it in lower case. */
function asWritten(text: string, sentence: string): string {
  const at = text.includes(sentence) ? -1 : text.toLowerCase().indexOf(sentence)
  return at < 0 ? sentence : text.slice(at, at + sentence.length)
}

/** The line is left out if the text was decoded or reformatted. */
function lined({ place, text, firstLine }: UntrustedText, words: string): LinedPlace {
  const at = text.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0 || !('path' in place) || place.path === undefined) return place
  return { ...place, line: firstLine + (text.slice(0, at).match(/\n/g)?.length ?? 0) }
}
