'use client'

import { numberWords } from '@/lib/base/locale'
import { ForeignText } from '../foreign-text'
import { useMemo, useState } from 'react'
import { formatBytes } from '@/lib/base/format-bytes'
import { TextButton } from '../text-button'
import { ForeignSay } from './foreign-say'
import { measureMarkup, mostCost, type MarkupCost } from './measure-markup'
import { SealedFrame, type SealedFrameProps } from './sealed-frame'

/** Longer texts are not even measured before somebody asks for them. */
const maxCharacters = 600_000
const maxCost = 60_000

const names = { svg: 'SVG', html: 'HTML' } as const

const counted = (cost: number) =>
  cost >= mostCost ? 'over a billion' : `about ${numberWords(Number(cost.toPrecision(2)))}`

/** Why it is drawn on a click only, in words; null: it is drawn at once. */
export function heavyWords(text: string, { cost, risk }: Pick<MarkupCost, 'cost' | 'risk'>): string | null {
  if (text.length > maxCharacters) return 'it is long'
  if (cost > maxCost) return `it comes to ${counted(cost)} parts when it is drawn`
  return risk
}

const unmeasured: MarkupCost = { cost: 0, risk: null, width: null, height: null }

/** Foreign HTML or SVG, in its frame: at once when that is cheap, else when somebody wants to see it. */
export function ForeignMarkup(props: Omit<SealedFrameProps, 'expectedHeight'>) {
  const { kind, text } = props.markup
  const measured = useMemo(() => (text.length > maxCharacters ? unmeasured : measureMarkup(text)), [text])
  const why = heavyWords(text, measured)
  const [wanted, setWanted] = useState<string | null>(null)
  if (why !== null && wanted !== text) {
    return (
      <ForeignSay>
        <ForeignText text={props.label} />: {names[kind]}, {formatBytes(text.length)}. It is not drawn yet: {why}, so
        this may take a while. <TextButton onClick={() => setWanted(text)}>Draw it</TextButton>
      </ForeignSay>
    )
  }
  return <SealedFrame {...props} expectedHeight={kind === 'svg' ? measured.height : null} />
}
