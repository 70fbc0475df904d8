import { recipe } from '@/components/ui/recipes/recipe'

// The drawer's sections, divided by lines, each with a heading, a sentence and framed rows.

export const section = recipe('border-b border-line p-5 last:border-b-0 narrow:px-3.5', {})
export const sectionHead = recipe('mb-1 flex flex-wrap items-baseline gap-2 text-md font-strong', {})
/** At the end of a heading: a number or a state. */
export const headEnd = recipe('ms-auto text-sm/[inherit] font-normal text-muted tabular-nums', {})
export const settingsNote = recipe('mb-3 text-sm text-pretty text-muted', {})

/** A label with its control at the end. */
export const settingRow = recipe(
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2 not-first:border-t not-first:border-line',
  // A select is below its label if there is no room beside it.
  { control: { words: 'narrow:grid-cols-[minmax(0,1fr)] narrow:gap-y-2' } },
)
/** A switch is aligned with the first line of its label. */
export const atEnd = recipe('col-start-2 mt-0.5 self-start', {})
