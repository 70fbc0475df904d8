import type { ReactNode } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import type { Arm } from '@/lib/client/lab/trials'
import { t } from '@/lib/i18n/t'

export const labNote = cx('text-sm text-pretty text-muted')
export const labNumber = cx(
  'h-control w-24 rounded-md border border-control bg-raised px-2.5 tabular-nums pointer-coarse:text-lg/[inherit]',
)
export const cell = cx('border-b border-line px-2.5 py-2 text-start align-top font-normal')
export const numberCell = cx(cell, 'text-end whitespace-nowrap tabular-nums')

/** A section of the page: its heading and its actions. */
export function LabPart({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line py-6 first:border-t-0">
      <div className="mb-3 flex min-h-control flex-wrap items-center gap-2">
        <h2 className="me-auto text-md font-strong">{title}</h2>
        {end}
      </div>
      {children}
    </section>
  )
}

/** A field with a label before it and a hint after it. */
export function LabField({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">{label}</span>
      {children}
      {help === undefined ? null : <span className={labNote}>{help}</span>}
    </label>
  )
}

/** The name of a lab's arm. */
export const armLabel = ({ strategy, exact }: Arm): string => (exact ? t('lab.arm', { strategy }) : strategy)
