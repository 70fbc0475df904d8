import { cx, recipe } from '@/components/ui/recipes/recipe'

// The message field: buttons beside the field in the one-column layout or a low window, otherwise below it.

/** The hint above the field; one line in a low window. */
export const composerHint = recipe('pb-2 text-sm text-muted narrow:px-1.5 short:truncate short:pb-1', {})

/** The field is focused most of the time, so it gets no full focus ring. Its buttons have their own rings. */
export const box = recipe(
  cx(
    'group/form rounded-lg border border-control bg-raised shadow-card has-[textarea:focus]:border-focus',
    'narrow:flex narrow:flex-wrap narrow:items-end narrow:gap-x-1 narrow:rounded-[1.5rem] narrow:p-0.5',
    'short:flex short:flex-wrap short:items-end',
  ),
  {},
)

export const messageField = recipe(
  cx(
    'block max-h-[40dvh] min-h-14 w-full resize-none overflow-y-auto px-4 pt-3 pb-1 text-lg outline-none field-sizing-content',
    'narrow:order-2 narrow:min-h-touch narrow:w-auto narrow:min-w-24 narrow:flex-1 narrow:px-1 narrow:py-2.5',
    'short:max-h-[30dvh] short:min-h-10 short:w-auto short:min-w-24 short:flex-1 short:px-3 short:pt-2 short:pb-1',
  ),
  {},
)

/** The buttons below the field; in the one-column layout they are in the field's row. */
export const buttonRow = cx(
  'flex items-center gap-1 px-2 pt-1.5 pb-2 text-sm/[inherit] text-muted narrow:contents short:p-1',
)

/** Send and Stop share one position and width; in the one-column layout they are round and show an icon. */
export const sendButtonPosition = cx(
  'min-w-20 narrow:order-3 narrow:size-touch narrow:min-w-touch narrow:rounded-full! narrow:p-0',
)

/** Files can be sent without text. */
export const withFiles = cx(
  'group-has-data-attached/form:border-ink group-has-data-attached/form:bg-ink group-has-data-attached/form:text-on-ink group-has-data-attached/form:hover:text-on-ink',
)

/** In the one-column layout these buttons move to the field's menu. */
export const below = cx('flex-none whitespace-nowrap narrow:hidden')

/** Busy or unavailable. The shape differs too, for forced colors. */
export const lamp = recipe('size-[7px] flex-none rounded-full forced-colors:forced-color-adjust-none', {
  state: {
    busy: 'border-[1.5px] border-muted forced-colors:border-[CanvasText]',
    off: 'bg-danger forced-colors:border-2 forced-colors:border-[LinkText] forced-colors:bg-transparent',
  },
})
