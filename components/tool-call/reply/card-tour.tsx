'use client'

import { useEffect, useState } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** A part of the card that a step points at. */
export type TourPart = 'head' | 'evidence' | 'foot'

const steps = [
  { step: 'wrote', part: 'head' },
  { step: 'shows', part: 'evidence' },
  { step: 'decide', part: 'foot' },
] as const satisfies readonly { readonly step: string; readonly part: TourPart }[]

interface CardTourProps {
  /** The card is a question of the model: nothing in it shows what would happen. */
  readonly asks: boolean
  readonly onPoint: (part: TourPart) => void
  readonly onDone: () => void
}

/** A sentence on each part of a real card, for a user without a model. The card works all the time. */
export default function CardTour({ asks, onPoint, onDone }: CardTourProps) {
  useLanguage()
  const [at, setAt] = useState(0)
  const shown = steps.filter((one) => !asks || one.part !== 'evidence')
  const { step, part } = shown[at] ?? steps[0]
  useEffect(() => onPoint(part), [onPoint, part])
  const isLast = at === shown.length - 1
  return (
    <div
      className="flex min-h-12 items-center gap-3 rounded-lg bg-hover px-3.5 py-2 narrow:min-h-26 narrow:flex-wrap"
      role="group"
      aria-label={t('tour.name')}
    >
      <p className="min-w-0 flex-1 text-pretty narrow:basis-full" role="status">
        <span className="me-2 text-muted tabular-nums">{t('tour.step', { number: at + 1, count: shown.length })}</span>
        {t(`tour.${step}`)}
      </p>
      {isLast ? null : <TextButton onClick={onDone}>{t('tour.skip')}</TextButton>}
      <Button onClick={() => (isLast ? onDone() : setAt(at + 1))}>{t(isLast ? 'tour.done' : 'tour.next')}</Button>
    </div>
  )
}
