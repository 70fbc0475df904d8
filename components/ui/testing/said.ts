/** Finds the element with a sentence, however many parts it has: `screen.getByText(said('Moved /a.md to /b.'))`. */
export const said =
  (sentence: string | RegExp) =>
  (_: string, element: Element | null): boolean => {
    const says = (one: Element | null) =>
      typeof sentence === 'string' ? one?.textContent === sentence : sentence.test(one?.textContent ?? '')
    return says(element) && ![...(element?.children ?? [])].some(says)
  }
