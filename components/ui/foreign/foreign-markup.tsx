'use client'

import { SentenceText } from '../text/foreign-text'
import { useMemo, useState } from 'react'
import { t } from '@/lib/i18n/t'
import { TextButton } from '../controls/button'
import { ForeignSentence } from './foreign-sentence'
import { measureMarkup, mostCost, type MarkupCost } from './measure-markup'
import { SealedFrame, type SealedFrameProps } from './sealed-frame'

/** Longer texts are not even measured before somebody asks for them. */
const maxCharacters = 600_000
const maxCost = 60_000

const names = { svg: 'SVG', html: 'HTML' } as const

/** Why it is drawn on a click only, in words; null: it is drawn at once. */
function heavyWords(text: string, { cost, risk }: Pick<MarkupCost, 'cost' | 'risk'>): string | null {
  if (text.length > maxCharacters) return t('view.heavy.long')
  if (cost >= mostCost) return t('view.heavy.most')
  if (cost > maxCost) return t('view.heavy.parts', { parts: cost })
  return risk === null ? null : t(`view.heavy.${risk}`)
}

const unmeasured: MarkupCost = { cost: 0, risk: null, width: null, height: null }

/** Whether it takes more to draw than a page should do by itself. */
export const isHeavyMarkup = (text: string): boolean => heavyWords(text, measureMarkup(text)) !== null

interface Props extends Omit<SealedFrameProps, 'expectedHeight'> {
  /** Its frame draws it without a question: only for what was drawn before within a limit of time. */
  readonly atOnce?: boolean
}

/** Foreign HTML or SVG, in its frame: at once when that is cheap, else when somebody wants to see it. */
export function ForeignMarkup({ atOnce = false, ...props }: Props) {
  const { kind, text } = props.markup
  const measured = useMemo(() => (text.length > maxCharacters ? unmeasured : measureMarkup(text)), [text])
  const why = heavyWords(text, measured)
  const [wanted, setWanted] = useState<string | null>(null)
  if (why !== null && !atOnce && wanted !== text) {
    return (
      <ForeignSentence>
        <SentenceText text={t('view.heavy', { label: props.label, format: names[kind], size: text.length, why })} />{' '}
        <TextButton onClick={() => setWanted(text)}>{t('view.draw')}</TextButton>
      </ForeignSentence>
    )
  }
  return <SealedFrame {...props} expectedHeight={kind === 'svg' ? measured.height : null} />
}
