import { within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/** Opens the menu of a waiting card, and chooses these items, one after the other. */
export async function choose(
  user: UserEvent,
  card: HTMLElement,
  ...names: readonly (string | RegExp)[]
): Promise<void> {
  await user.click(within(card).getByRole('button', { name: 'More' }))
  for (const name of names) await user.click(within(card).getByRole('menuitem', { name }))
}

/** The item names in a waiting card's menu. */
export async function menuOf(user: UserEvent, card: HTMLElement): Promise<readonly string[]> {
  await user.click(within(card).getByRole('button', { name: 'More' }))
  const names = within(card)
    .getAllByRole('menuitem')
    .map((item) => item.textContent)
  await user.keyboard('{Escape}')
  return names
}
