/** An open file fills its place: the head and what must be known stay, the body scrolls. */
export const fileFrame = 'flex h-full min-h-0 min-w-0 flex-col bg-raised'
export const fileBody = 'flex min-h-0 flex-1 flex-col overflow-auto'
