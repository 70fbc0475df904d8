import { recipe } from '@/components/ui/recipes/recipe'

// The drawer: sections parted by lines, each with a head, a sentence, and rows in a frame.

export const section = recipe('border-b border-line p-5 last:border-b-0 narrow:px-3.5', {})
export const sectionHead = recipe('mb-1 flex flex-wrap items-baseline gap-2 text-md font-strong', {})
/** At the end of a head: a figure, a state. */
export const headEnd = recipe('ms-auto text-sm/[inherit] font-normal text-muted tabular-nums', {})
export const settingsNote = recipe('mb-3 text-sm text-pretty text-muted', {})

/** Words, and what is chosen for them at the end. */
export const settingRow = recipe(
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2 not-first:border-t not-first:border-line',
  // What is chosen from words stands under its own, where there is no room beside them.
  { control: { words: 'narrow:grid-cols-[minmax(0,1fr)] narrow:gap-y-2' } },
)
/** A switch stands with the first line of its words. */
export const atEnd = recipe('col-start-2 mt-0.5 self-start', {})
