/** The page with the search box. */
import { useId, useState, type FormEvent } from "react";
import { usePage } from "./pageUse.ts";
import { Marked, Remarks } from "./Press.tsx";
import { SEARCH_BAR } from "../../../reading/shop/trip.ts";
import { shopWords, words } from "./words.ts";

export function SearchView() {
  const { act, target, typed } = usePage();
  return act ? (
    <SearchForm act={act} typed={typed ?? ""} />
  ) : (
    <WatchedSearch on={target === SEARCH_BAR} typed={typed} />
  );
}

function SearchForm({ act, typed }: { act: (text: string) => void; typed: string }) {
  const [text, setText] = useState(typed);
  const [empty, setEmpty] = useState(false);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text === "") setEmpty(true);
    else act(`search[${text}]`);
  };
  return (
    <form className="shop-search" role="search" onSubmit={submit}>
      <label htmlFor={id}>{words.page.searchLabel}</label>
      <div className="shop-search-row">
        <input
          id={id}
          type="text"
          value={text}
          autoComplete="off"
          data-testid="search-box"
          aria-invalid={empty || undefined}
          aria-describedby={empty ? `${id}-problem` : undefined}
          onChange={({ target }) => {
            setText(target.value);
            setEmpty(false);
          }}
        />
        <button type="submit" className="primary">
          {shopWords.search}
          <Remarks text="" element={SEARCH_BAR} />
        </button>
      </div>
      <p id={`${id}-problem`} role="status" className="field-problem shop-line">
        {empty && words.page.searchEmpty}
      </p>
    </form>
  );
}

function WatchedSearch({ on, typed }: { on: boolean; typed: string | null }) {
  return (
    <div className="shop-search">
      <span>{words.page.searchLabel}</span>
      <div className="shop-search-row">
        <span className="shop-search-box">{typed ?? ""}</span>
        <Marked on={on}>
          <span className="press primary">{shopWords.search}</span>
        </Marked>
      </div>
    </div>
  );
}
