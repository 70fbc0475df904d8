import { useEffect, useState } from 'react'
import { chosenFiles, droppedFiles, type ChosenFile } from '../upload/read-drop'

type Add = (chosen: Promise<readonly ChosenFile[]>) => void

const holdsFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') ?? false

/** Takes files that are dropped on `area` or pasted into `form`; true while some are held over the area. */
export function useDrops(area: HTMLElement | null, form: HTMLElement | null, add: Add): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    if (!area) return
    const listening = new AbortController()
    const { signal } = listening
    const onDrag = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setDragging(true)
    }
    area.addEventListener('dragenter', onDrag, { signal })
    area.addEventListener('dragover', onDrag, { signal })
    area.addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setDragging(false)
      },
      { signal },
    )
    area.addEventListener(
      'drop',
      (event) => {
        setDragging(false)
        if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
        event.preventDefault()
        add(droppedFiles(event.dataTransfer))
      },
      { signal },
    )
    // Beside every target a browser would leave the page to show the file.
    const keepPage = (event: DragEvent) => {
      if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', keepPage, { signal })
    window.addEventListener('drop', keepPage, { signal })
    form?.addEventListener(
      'paste',
      (event) => {
        const { clipboardData } = event
        // A cell or a paragraph comes as text and as its picture: the text is meant.
        if (!clipboardData || clipboardData.files.length === 0 || clipboardData.types.includes('text/plain')) return
        event.preventDefault()
        add(Promise.resolve(chosenFiles(clipboardData.files)))
      },
      { signal },
    )
    return () => listening.abort()
  }, [area, form, add])
  return dragging
}
