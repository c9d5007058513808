import { type Inputs, useLayoutEffect, useState } from 'preact/hooks'
import type { Order, Steps } from './order.ts'

/** The result of work that pauses every 8 ms, so that the page draws and takes keys. Meanwhile it is the former result. */
export function useOrder(start: () => Steps<Order>, inputs: Inputs): Order {
  const [order, setOrder] = useState<Order>(() => new Uint32Array())
  useLayoutEffect(() => {
    const steps = start()
    let timer: ReturnType<typeof setTimeout>
    const work = () => {
      const end = performance.now() + 8
      let step = steps.next()
      while (!step.done && performance.now() < end) step = steps.next()
      if (step.done) setOrder(step.value)
      else timer = setTimeout(work)
    }
    work()
    return () => clearTimeout(timer)
  }, inputs)
  return order
}
