import type { MouseEvent } from 'react'

/** Whether a click on a link is for this page: a new tab, a new window or a download is the browser's business. */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0
