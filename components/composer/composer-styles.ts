import { cx, recipe } from '@/components/ui/recipes/recipe'

// The message field: in a low window one row of field and buttons, else the buttons below.

/** What is said above the field, one line of it where the window is low. */
export const composerHint = recipe('pb-2 text-sm text-muted narrow:px-1.5 short:truncate short:pb-1', {})

/** The field has the cursor most of the time: a full ring would shout. Its buttons have rings of their own. */
export const box = recipe(
  'rounded-lg border border-control bg-raised shadow-card has-[textarea:focus]:border-focus short:flex short:flex-wrap short:items-end',
  {},
)

export const messageField = recipe(
  cx(
    'block max-h-[40dvh] min-h-14 w-full resize-none overflow-y-auto px-4 pt-3 pb-1 text-lg outline-none field-sizing-content',
    'narrow:min-h-touch narrow:pt-2.5 narrow:pb-0',
    'short:max-h-[30dvh] short:min-h-10 short:w-auto short:min-w-24 short:flex-1 short:px-3 short:pt-2 short:pb-1',
  ),
  {},
)

/** Send and Stop share one place and one width. */
export const sendButtonPosition = cx('min-w-20 narrow:ms-auto narrow:h-touch narrow:min-w-18')

/** Where there is one column, what is asked and what it costs stand below the clip, the model and Send. */
export const below = cx('flex-none whitespace-nowrap narrow:order-1 narrow:px-2 narrow:pointer-coarse:mt-2.5')

/** Ready, at work, or away: told apart by shape too where the system chose the colours. */
export const lamp = recipe('size-[7px] flex-none rounded-full forced-colors:forced-color-adjust-none', {
  state: {
    ready: 'bg-ok forced-colors:bg-[Highlight]',
    busy: 'border-[1.5px] border-muted forced-colors:border-[CanvasText]',
    off: 'bg-danger forced-colors:border-2 forced-colors:border-[LinkText] forced-colors:bg-transparent',
  },
})
