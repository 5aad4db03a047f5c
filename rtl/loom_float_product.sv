// loom_float_product: the exact product of two significands, of parts that multiplier blocks take.
//
// Function: y = a * b, both unsigned.
// Parameters: W bits of each factor; PART_A and PART_B: bits of a and b that a multiplier block takes
//   (24 and 17 suit blocks of 25 x 18); CUTS: bit 0 is 1 where registers stand behind the products of
//   parts, bit 1 where they stand behind the sums of the products with one part of a.
// Ports: clk; move, of the registers at both places; a, b and y.
// Timing: a cycle with move per place with registers. What adds a product to what stands above its
//   weight fits in the adder behind a multiplier block.
// Rule: rtl/README.md "Floating point".
module loom_float_product #(
    parameter int W      = 24,
    parameter int PART_A = 24,
    parameter int PART_B = 17,
    parameter int CUTS   = 0
) (
    input  logic           clk,
    input  logic [1:0]     move,
    input  logic [W-1:0]   a,
    input  logic [W-1:0]   b,
    output logic [2*W-1:0] y
);
  initial if (W < 1 || PART_A < 1 || PART_B < 1) $fatal(1, "loom_float_product: W, PART_A and PART_B must be at least 1");

  localparam int ROWS = (W + PART_A - 1) / PART_A;
  localparam int COLUMNS = (W + PART_B - 1) / PART_B;

  generate
    for (genvar i = 0; i < ROWS; i++) begin : g_row
      localparam int AW = (i < ROWS - 1) ? PART_A : W - PART_A * (ROWS - 1);
      logic [AW+W-1:0] row, row_out;
      for (genvar j = 0; j < COLUMNS; j++) begin : g_column
        localparam int BW = (j < COLUMNS - 1) ? PART_B : W - PART_B * (COLUMNS - 1);
        logic [AW-1:0]    part_a;
        logic [BW-1:0]    part_b;
        logic [AW+BW-1:0] product, p, sum;
        assign part_a  = a[i*PART_A +: AW];
        assign part_b  = b[j*PART_B +: BW];
        assign product = (AW + BW)'(part_a) * (AW + BW)'(part_b);
        loom_cut #(
            .W   (AW + BW),
            .HERE(CUTS & 1)
        ) u_cut (
            .clk (clk),
            .move(move[0]),
            .d   (product),
            .q   (p)
        );
        if (j == 0) begin : g_first
          assign sum = p;
        end else begin : g_next
          assign sum = p + {{BW{1'b0}}, g_column[j-1].sum[AW+PART_B-1:PART_B]};
        end
        if (j < COLUMNS - 1) begin : g_low
          assign row[j*PART_B +: PART_B] = sum[PART_B-1:0];
        end else begin : g_high
          assign row[AW+W-1:j*PART_B] = sum;
        end
      end
      loom_cut #(
          .W   (AW + W),
          .HERE((CUTS >> 1) & 1)
      ) u_cut (
          .clk (clk),
          .move(move[1]),
          .d   (row),
          .q   (row_out)
      );
      logic [AW+W+i*PART_A-1:0] total;
      if (i == 0) begin : g_first
        assign total = row_out;
      end else begin : g_next
        localparam int BELOW = i * PART_A;  // bits of less weight than the row's
        assign total = {row_out + {{AW{1'b0}}, g_row[i-1].total[BELOW+W-1:BELOW]}, g_row[i-1].total[BELOW-1:0]};
      end
    end
  endgenerate

  assign y = g_row[ROWS-1].total;
endmodule
