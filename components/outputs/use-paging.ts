"use client";
import { useState } from "react";

/** Which page of how many rows is shown; another size, or `first`, goes back to the first one. `foot` is what the foot of a table takes. */
export function usePaging(startSize = 50) {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(startSize);
  const first = () => setPage(1);
  const onSize = (next: number) => {
    setSize(next);
    first();
  };
  return { page, size, first, foot: { page, size, onPage: setPage, onSize } };
}
