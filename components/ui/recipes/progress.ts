import { recipe } from './recipe'

/** How much of something is done, in ink: browsers' own bars bring colours of their own. */
export const progressBar = recipe(
  'h-2 appearance-none overflow-hidden rounded-full border border-control bg-hover [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-ink',
  {},
)
