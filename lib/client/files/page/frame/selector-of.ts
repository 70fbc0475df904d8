const maxSteps = 5

/** A selector that finds an element in its page: from the nearest name on, by tags and places among siblings. */
export function selectorOf(element: Element): string {
  const steps: string[] = []
  for (let at: Element | null = element; at !== null && steps.length < maxSteps; at = at.parentElement) {
    const tag = at.localName
    if (at.id !== '' && at.id.length <= 60) {
      steps.unshift(`#${CSS.escape(at.id)}`)
      break
    }
    if (tag === 'html' || tag === 'body') {
      steps.unshift(tag)
      break
    }
    steps.unshift(`${tag}${classOf(at)}${placeOf(at)}`)
  }
  return steps.join(' > ')
}

/** The first class reads better than a number; it is part of the name, the number still decides. */
function classOf(element: Element): string {
  const [first] = element.classList
  return first !== undefined && first.length <= 40 ? `.${CSS.escape(first)}` : ''
}

function placeOf(element: Element): string {
  const alike = [...(element.parentElement?.children ?? [])].filter(({ localName }) => localName === element.localName)
  return alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : ''
}
