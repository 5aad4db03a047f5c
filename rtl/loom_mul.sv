// loom_mul: pipelined multiplier.
//
// Function: y = a * b, the lower W bits. Both operands are joined.
// Parameters: W data bits; CHUNK: bits of a factor that a multiplier block takes, at
//   least 2 (17 suits blocks of 18 x 18 and of 25 x 18).
// Ports: channels a and b in, channel y out; idle (no token inside).
// Timing: one firing per cycle. Latency: 1 up to CHUNK + 1 bits; else 2 up to
//   2 * CHUNK bits, the products of the parts in the first cycle, their sum in the
//   second; else 3, with the sums of the parts of one weight between. A stalled pipeline
//   fills its gaps, as loom_pipe.
// Rule: rtl/README.md "Function units".
module loom_mul #(
    parameter int W     = 32,
    parameter int CHUNK = 17
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         b_valid,
    output logic         b_ready,
    input  logic [W-1:0] b_data,
    output logic         y_valid,
    input  logic         y_ready,
    output logic [W-1:0] y_data,
    output logic         idle
);
  initial if (W < 1 || CHUNK < 2) $fatal(1, "loom_mul: W must be at least 1, CHUNK at least 2");

  localparam int LATENCY = (W <= CHUNK + 1) ? 1 : (W <= 2 * CHUNK) ? 2 : 3;
  localparam int PARTS = (LATENCY == 1) ? 1 : (W + CHUNK - 1) / CHUNK;

  logic [LATENCY-1:0] full;
  logic [LATENCY-1:0] move;  // stage k takes what stands before it
  logic               request;

  assign request = a_valid & b_valid;
  assign a_ready = request & move[0];
  assign b_ready = request & move[0];
  assign y_valid = full[LATENCY-1];
  assign idle    = ~|full;

  generate
    for (genvar k = 0; k < LATENCY; k++) begin : g_stage
      assign move[k] = y_ready | ~(&full[LATENCY-1:k]);
      always_ff @(posedge clk) begin
        if (rst) full[k] <= 1'b0;
        else if (move[k]) full[k] <= (k == 0) ? request : full[(k > 0) ? k - 1 : 0];
      end
    end
  endgenerate

  generate
    if (PARTS == 1) begin : g_whole
      logic [W-1:0] y;
      always_ff @(posedge clk) if (move[0]) y <= a_data * b_data;
      assign y_data = y;
    end else begin : g_parts
      // Column k sums the products of the parts whose weight is 2^(CHUNK * k).
      for (genvar k = 0; k < PARTS; k++) begin : g_column
        localparam int BITS = W - k * CHUNK;
        for (genvar i = 0; i <= k; i++) begin : g_product
          // Bits of a part: as many as there are, and as matter to the product.
          localparam int PART = (BITS < CHUNK) ? BITS : CHUNK;
          logic [PART-1:0] pa, pb;
          logic [BITS-1:0] p, sum;
          assign pa = a_data[i*CHUNK +: PART];
          assign pb = b_data[(k-i)*CHUNK +: PART];
          always_ff @(posedge clk) if (move[0]) p <= BITS'(pa) * BITS'(pb);
          if (i == 0) begin : g_first
            assign sum = p;
          end else begin : g_next
            assign sum = g_product[i-1].sum + p;
          end
        end
        logic [BITS-1:0] total;
        if (LATENCY == 3) begin : g_register
          always_ff @(posedge clk) if (move[1]) total <= g_product[k].sum;
        end else begin : g_wires
          assign total = g_product[k].sum;
        end
        logic [W-1:0] y;
        if (k == 0) begin : g_lowest
          assign y = total;
        end else begin : g_higher
          assign y = g_column[k-1].y + {total, {(k * CHUNK) {1'b0}}};
        end
      end
      logic [W-1:0] y;
      always_ff @(posedge clk) if (move[LATENCY-1]) y <= g_column[PARTS-1].y;
      assign y_data = y;
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_mul.svh"
`endif
endmodule
