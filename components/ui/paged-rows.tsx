"use client";
import { type ReactNode, useState } from "react";
import { ScrollRegion } from "./scroll-region.tsx";
import { TableFoot } from "./table-foot.tsx";

type Props<Row> = {
  rows: readonly Row[];
  /** Rows of a page until another number is chosen. */
  startSize: number;
  label: string;
  className: string | undefined;
  children: (shown: readonly Row[]) => ReactNode;
};

/** Rows that are all there, shown in pages; the foot appears where one page does not hold them. */
export function PagedRows<Row>({ rows, startSize, label, className, children }: Props<Row>) {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(startSize);
  return (
    <>
      <ScrollRegion className={className} label={label}>
        {children(rows.slice((page - 1) * size, page * size))}
      </ScrollRegion>
      {rows.length > size || page > 1 ? (
        <TableFoot
          page={page}
          size={size}
          total={rows.length}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      ) : null}
    </>
  );
}
