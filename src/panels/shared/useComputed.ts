/** Rows computed one after another, so that the page can answer between two of them. */
import { computed, type CreditRequest } from "../../reading/credit/computed.ts";
import { useSliced } from "../../ui/useSliced.ts";

/** What is to be shown, once all of its rows have been computed; before that, what was. null at first. */
export function useComputed<T extends CreditRequest>(wanted: T): T | null {
  return useSliced(wanted, computed<T>);
}
