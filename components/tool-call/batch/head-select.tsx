import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { IconButton } from '@/components/ui/icon-button'
import { checkBox } from '@/components/ui/recipes/field'
import { t } from '@/lib/i18n/t'

export interface HeadSelectProps {
  readonly name: string
  /** From 1, in the order in which the batch runs. */
  readonly place: number
  readonly count: number
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
  readonly onMove: (step: -1 | 1) => void
}

/** What a card's head carries while calls are selected: a checkbox, its place, and the ways up and down. */
export function HeadSelect({ name, place, count, selected, onSelect, onMove }: HeadSelectProps) {
  return (
    <span className="-ms-1 inline-flex flex-none items-center">
      <input
        className={checkBox()}
        type="checkbox"
        aria-label={labelOf(t('batch.select-one', { tool: asUntrusted(name), place, count }))}
        checked={selected}
        onChange={(event) => onSelect(event.target.checked)}
      />
      <span className="text-muted tabular-nums" aria-hidden="true">
        {place}
      </span>
      <IconButton
        size="xs"
        icon="up"
        label={t('batch.earlier', { tool: name })}
        disabled={place === 1}
        onClick={() => onMove(-1)}
      />
      <IconButton
        size="xs"
        icon="down"
        label={t('batch.later', { tool: name })}
        disabled={place === count}
        onClick={() => onMove(1)}
      />
    </span>
  )
}
