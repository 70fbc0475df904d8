'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useEffectEvent, useState } from 'react'
import { useOutOfView, useTabStop } from '@/components/ui/text/out-of-view'
import { endsDiffer } from '@/components/ui/code/diff-view'
import { ForeignLines, type ForeignLinesProps } from '@/components/ui/code/foreign-code'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { endingOf, readingOfFile } from '@/lib/base/untrusted-text/mark'
import { blockCount, piecesBetween, takenIn, textWith, type TextPiece } from '@/lib/shared/tools/text-blocks'
import { cx, codeBox } from '@/components/ui/recipes/recipe'
import { note } from '@/components/ui/recipes/surface'
import { CodeLine, CodeGap, type CodeLineKind } from '@/components/ui/code/code-block'
import { CardTrouble, CardBody } from '../styles/card'

const CONTEXT_LINES = 2

export interface PartialChangeProps {
  readonly path: string
  readonly before: string
  /** The text that the model's call would produce. */
  readonly asked: string
  /** The text that the current call would produce. */
  readonly now: string
  /** Stores a call that produces this text; resolves to a sentence if it could not be stored. */
  readonly onTake: (after: string) => Promise<string | null>
  /** The parts are being chosen. */
  readonly isChosen: boolean
  /** Reports whether there is something to choose from. */
  readonly onOffer: (offers: boolean) => void
  /** Shown if the change has only one part, or nobody chooses and none is left out. */
  readonly whole: React.ReactNode
}

/** A change of several blocks, each of which can be left out. What is left out stays visible. */
export function PartialChange(props: PartialChangeProps) {
  const { path, before, asked, now, onTake, isChosen, onOffer, whole } = props
  const pieces = usePieces(before, asked)
  const [problem, setProblem] = useState<string | null>(null)
  /** The latest choice, until it is stored. */
  const [chosen, setChosen] = useState<readonly boolean[] | null>(null)
  const saving = chosen !== null
  const stored = pieces && takenIn(pieces, now)
  const offers = pieces !== null && stored !== null && blockCount(pieces) > 1
  const reportOffer = useEffectEvent(onOffer)
  useEffect(() => {
    reportOffer(offers)
    return () => reportOffer(false)
  }, [offers])
  if (!pieces || !stored || !offers || !(isChosen || saving || stored.includes(false))) return whole
  const taken = chosen ?? stored
  const count = taken.filter(Boolean).length

  const take = async (next: readonly boolean[]) => {
    setChosen(next)
    setProblem(await onTake(textWith(pieces, next)))
    setChosen(null)
  }
  return (
    <CardBody>
      <p className={note({ place: 'inset' })}>
        <span>
          {count === taken.length
            ? t('card-waiting.all-places', { all: count })
            : t('card-waiting.some-places', { count, all: taken.length })}
        </span>
        {count < taken.length ? (
          <TextButton disabled={saving} onClick={() => void take(taken.map(() => true))}>
            {t('card-waiting.take-all')}
          </TextButton>
        ) : null}
      </p>
      {saving ? <Wait className="px-3.5 py-1.5" what={t('wait.save-call')} /> : null}
      {problem ? <CardTrouble text={problem} /> : null}
      <Blocks
        path={path}
        pieces={pieces}
        taken={taken}
        disabled={saving}
        onToggle={(at) => void take(taken.with(at, !taken[at]))}
      />
    </CardBody>
  )
}

function usePieces(before: string, asked: string): readonly TextPiece[] | null {
  const [found, setFound] = useState<{ before: string; asked: string; pieces: readonly TextPiece[] } | null>(null)
  useEffect(() => {
    let wanted = true
    piecesBetween(before, asked).then(
      (pieces) => wanted && setFound({ before, asked, pieces }),
      // Without the comparison, the whole change is shown.
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [before, asked])
  return found && found.before === before && found.asked === asked ? found.pieces : null
}

interface BlocksProps {
  readonly path: string
  readonly pieces: readonly TextPiece[]
  readonly taken: readonly boolean[]
  readonly disabled: boolean
  readonly onToggle: (block: number) => void
}

/** Each piece with its block's number and its line numbers in both texts. */
function placed(pieces: readonly TextPiece[], taken: readonly boolean[]) {
  const at = { block: 0, old: 1, now: 1 }
  return pieces.map((piece) => {
    const place = { piece, ...at }
    if (piece.kind === 'same') {
      at.old += piece.lines.length
      at.now += piece.lines.length
    } else {
      at.old += piece.removed.length
      at.now += (taken[at.block] === true ? piece.added : piece.removed).length
      at.block += 1
    }
    return place
  })
}

type FileFacts = Omit<ForeignLinesProps, 'text'>

function Blocks({ path, pieces, taken, disabled, onToggle }: BlocksProps) {
  const count = taken.filter(Boolean).length
  const texts = pieces.flatMap((piece) => (piece.kind === 'same' ? piece.lines : [...piece.removed, ...piece.added]))
  const file: FileFacts = {
    language: endingOf(path),
    reading: readingOfFile(path),
    showsCr: endsDiffer(texts.map(withoutLineFeed)),
  }
  const tabIndex = useTabStop()
  return (
    <div
      className={codeBox({ pad: 'lines' })}
      dir="ltr"
      tabIndex={tabIndex}
      role="group"
      aria-label={labelOf(t('card-evidence.change', { path: asUntrusted(path) }))}
    >
      {placed(pieces, taken).map(({ piece, block, old, now }, index) => {
        if (piece.kind === 'same') {
          const isEnd = index === pieces.length - 1
          return <Same key={index} lines={piece.lines} first={now} isStart={index === 0} isEnd={isEnd} file={file} />
        }
        const isTaken = taken[block] ?? true
        return (
          <div key={index} className={cx('border-s-2 border-line-strong', !isTaken && 'border-dashed')}>
            <label className="flex min-h-[1.5rem] items-center gap-2 px-3 font-sans text-sm text-code-muted">
              <input
                type="checkbox"
                checked={isTaken}
                // Leaving out everything would be a denial.
                disabled={disabled || (isTaken && count === 1)}
                onChange={() => onToggle(block)}
              />
              <span>
                {t(isTaken ? 'card-waiting.place' : 'card-waiting.place-left', {
                  place: block + 1,
                  all: taken.length,
                })}
              </span>
            </label>
            {piece.removed.map((line, offset) => (
              <Line key={`-${offset}`} kind={isTaken ? 'del' : 'left'} number={old + offset} text={line} file={file} />
            ))}
            {isTaken
              ? piece.added.map((line, offset) => (
                  <Line key={`+${offset}`} kind="add" number={now + offset} text={line} file={file} />
                ))
              : null}
          </div>
        )
      })}
    </div>
  )
}

const withoutLineFeed = (line: string) => line.replace(/\n$/, '')

interface LineProps {
  readonly kind: CodeLineKind
  readonly number: number
  readonly text: string
  readonly file: FileFacts
}

function Line({ kind, number, text, file }: LineProps) {
  return (
    <CodeLine kind={kind} number={number}>
      <ForeignLines text={withoutLineFeed(text)} {...file} />
    </CodeLine>
  )
}

interface SameProps {
  readonly lines: readonly string[]
  readonly first: number
  readonly isStart: boolean
  readonly isEnd: boolean
  readonly file: FileFacts
}

function Same({ lines, first, isStart, isEnd, file }: SameProps) {
  const [open, setOpen] = useState(false)
  const head = isStart ? 0 : CONTEXT_LINES
  const tail = isEnd ? 0 : CONTEXT_LINES
  const hidden = lines.length - head - tail
  const show = (from: number, to: number) =>
    lines
      .slice(from, to)
      .map((line, offset) => (
        <Line key={from + offset} kind="same" number={first + from + offset} text={line} file={file} />
      ))
  const isComplete = open || hidden < 2
  useOutOfView(isComplete ? 0 : hidden, 'same', () => setOpen(true))
  if (isComplete) return <>{show(0, lines.length)}</>
  return (
    <>
      {show(0, head)}
      <CodeGap onOpen={() => setOpen(true)}>{t('view.unchanged', { lines: hidden })}</CodeGap>
      {show(lines.length - tail, lines.length)}
    </>
  )
}
