/**
 * Keeps the height of `element` as `name` (a length of CSS, e.g. `--dock: 148px`) on the box that it stands in, so that what
 * sticks to that box's end stays clear of it. A ref of React's: gives what ends it.
 */
export function tellHeight(name: `--${string}`): (element: HTMLElement | null) => (() => void) | undefined {
  return (element) => {
    const box = element?.parentElement
    if (!element || !box) return
    const tell = () => box.style.setProperty(name, `${element.offsetHeight}px`)
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    return () => {
      observer.disconnect()
      box.style.removeProperty(name)
    }
  }
}
