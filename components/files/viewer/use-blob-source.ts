import { useCallback } from 'react'

/** A ref for an image element that shows these bytes; their address lives as long as the element shows them. */
export function useBlobSource(data: Uint8Array, type: string): (image: HTMLImageElement | null) => (() => void) | void {
  return useCallback(
    (image: HTMLImageElement | null) => {
      if (!image) return
      const address = URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>], { type }))
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [data, type],
  )
}
