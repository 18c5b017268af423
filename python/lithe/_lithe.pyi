"""Types of the compiled part of lithe. Made by scripts/make_stubs.py: do not edit."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Check
from .modes import Buckling, Modes
from .result import Result

__all__ = [
    "InputError",
    "RunError",
    "Part",
    "Named",
    "System",
    "shape_functions",
    "Isotropic",
    "Orthotropic",
    "Rectangle",
    "Circle",
    "Bar",
    "Plate",
    "Layer",
    "Layered",
    "Tube",
    "Box",
    "ISection",
    "ChannelSection",
    "AngleSection",
    "Polygon",
    "General",
    "Tapered",
    "LineMesh",
    "ArcMesh",
    "PlateMesh",
    "AnnularPlateMesh",
    "BlockMesh",
    "PipeMesh",
    "SideSelection",
    "NodeMesh",
    "NetMesh",
    "FileMesh",
    "Rayleigh",
    "Start",
    "Body",
    "BoxShape",
    "SphereShape",
    "CylinderShape",
    "TubeShape",
    "CapsuleShape",
    "MeshShape",
    "ShapePart",
    "CompoundShape",
    "RigidBody",
    "PointMass",
    "Linkage",
    "Clamp",
    "Fix",
    "SymmetryPlane",
    "Pin",
    "Roller",
    "Weld",
    "Spherical",
    "Revolute",
    "Universal",
    "Cylindrical",
    "Prismatic",
    "Planar",
    "Distance",
    "PointOnLine",
    "Gear",
    "Motion",
    "Turn",
    "Slide",
    "Screw",
    "PointInPlane",
    "RackAndPinion",
    "SlideAlong",
    "Reeving",
    "RigidConnection",
    "DistributingConnection",
    "Spring",
    "TorsionSpring",
    "Bushing",
    "TravelSpring",
    "Friction",
    "Stop",
    "PdDrive",
    "Rope",
    "PlaneShape",
    "Obstacle",
    "Contact",
    "InitialVelocity",
    "PointForce",
    "PointMoment",
    "LineLoad",
    "Pressure",
    "Gravity",
    "BodyForce",
    "Temperature",
    "Traction",
    "DisplacementOutput",
    "PositionOutput",
    "GradientOutput",
    "StressOutput",
    "SectionForcesOutput",
    "MaxVonMisesOutput",
    "ReactionOutput",
    "EnergyOutput",
    "VelocityOutput",
    "AccelerationOutput",
    "RotationOutput",
    "JointOutput",
    "SpringOutput",
    "MomentumOutput",
    "ConstraintOutput",
    "ContactOutput",
    "StaticAnalysis",
    "KrylovOptions",
    "ContactSettings",
    "DynamicAnalysis",
    "ModesAnalysis",
    "BucklingAnalysis",
    "Model",
]
__version__: str

# A number, an expression in t, or {"table": [[time, value], ...]}. Tables of loads are straight lines between their rows
# (or "interpolation": "linear" | "spline" | "steps") and constant outside; tables that drive motions are smooth splines
# that go on with their last rate.
Signal = float | str | Mapping[str, Sequence[Sequence[float]] | str]
# A number, or an expression in x, y, z.
SpaceFunction = float | str
# "beam.end", or a dict of body and one of name, node, element with xi, point.
Place = str | Mapping[str, Any]
T = TypeVar("T")

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
# True: a bar on sys.stderr; a function: called after every step with a dict, returning False ends the run.
Progress = bool | Callable[[dict[str, Any]], Any] | None

class InputError(ValueError):
    """The input is wrong: where, the value, what is allowed, the remedy."""

class RunError(RuntimeError):
    """The run could not go on; `result` holds the steps up to there, or None."""

    result: Result | None

class Part:
    """A part of a model."""

    def __eq__(self, other: object) -> bool: ...

class Named(Generic[T]):
    """A dictionary of named parts of a model, in order; what is put in is checked."""

    def __getitem__(self, name: str) -> T: ...
    def __setitem__(self, name: str, item: T | Mapping[str, Any]) -> None: ...
    def __delitem__(self, name: str) -> None: ...
    def __contains__(self, name: object) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __eq__(self, other: object) -> bool: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[T]: ...
    def items(self) -> list[tuple[str, T]]: ...
    def get(self, name: str, default: Any = None) -> Any: ...
    def update(self, other: Mapping[str, T | Mapping[str, Any]]) -> None: ...
    def clear(self) -> None: ...

class Isotropic(Part):
    """isotropic St. Venant-Kirchhoff with Kelvin-Voigt damping"""

    def __init__(
        self,
        *,
        E: float,
        nu: float = ...,
        density: float = ...,
        damping: float = ...,
        expansion: float = ...,
    ) -> None: ...
    @property
    def E(self) -> float:
        """Young's modulus [Pa]"""
    @E.setter
    def E(self, value: float) -> None: ...
    @property
    def nu(self) -> float:
        """Poisson's ratio"""
    @nu.setter
    def nu(self, value: float) -> None: ...
    @property
    def density(self) -> float:
        """mass density [kg/m^3]"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """Kelvin-Voigt coefficient tau: S = D (E + tau dE/dt) [s]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def expansion(self) -> float:
        """thermal expansion [1/K]"""
    @expansion.setter
    def expansion(self, value: float) -> None: ...

class Orthotropic(Part):
    """orthotropic along the axes of the body or layer"""

    def __init__(
        self,
        *,
        E1: float,
        E2: float,
        E3: float,
        nu12: float = ...,
        nu13: float = ...,
        nu23: float = ...,
        G12: float,
        G13: float,
        G23: float,
        density: float = ...,
        damping: float = ...,
        expansion: Sequence[float] = ...,
    ) -> None: ...
    @property
    def E1(self) -> float:
        """modulus [Pa]"""
    @E1.setter
    def E1(self, value: float) -> None: ...
    @property
    def E2(self) -> float:
        """modulus [Pa]"""
    @E2.setter
    def E2(self, value: float) -> None: ...
    @property
    def E3(self) -> float:
        """modulus [Pa]"""
    @E3.setter
    def E3(self, value: float) -> None: ...
    @property
    def nu12(self) -> float:
        """Poisson's ratio: strain along 2 under stress along 1"""
    @nu12.setter
    def nu12(self, value: float) -> None: ...
    @property
    def nu13(self) -> float:
        """Poisson's ratio: strain along 3 under stress along 1"""
    @nu13.setter
    def nu13(self, value: float) -> None: ...
    @property
    def nu23(self) -> float:
        """Poisson's ratio: strain along 3 under stress along 2"""
    @nu23.setter
    def nu23(self, value: float) -> None: ...
    @property
    def G12(self) -> float:
        """modulus [Pa]"""
    @G12.setter
    def G12(self, value: float) -> None: ...
    @property
    def G13(self) -> float:
        """modulus [Pa]"""
    @G13.setter
    def G13(self, value: float) -> None: ...
    @property
    def G23(self) -> float:
        """modulus [Pa]"""
    @G23.setter
    def G23(self, value: float) -> None: ...
    @property
    def density(self) -> float:
        """mass density [kg/m^3]"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """Kelvin-Voigt coefficient tau [s]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def expansion(self) -> tuple[float, float, float]:
        """thermal expansion along 1, 2 and 3 [1/K]"""
    @expansion.setter
    def expansion(self, value: Sequence[float]) -> None: ...

class Rectangle(Part):
    """rectangular section of a beam"""

    def __init__(
        self,
        *,
        width: float,
        thickness: float,
        shear_factors: Sequence[float] | None = ...,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def width(self) -> float:
        """width, along the body's y [m]"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def thickness(self) -> float:
        """thickness, along the body's z [m]"""
    @thickness.setter
    def thickness(self, value: float) -> None: ...
    @property
    def shear_factors(self) -> tuple[float, float] | None:
        """shear factors of the 13 and 12 components; default 10(1+nu)/(12+11nu) for both"""
    @shear_factors.setter
    def shear_factors(self, value: Sequence[float] | None) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class Circle(Part):
    """round section of a cable or beam"""

    def __init__(
        self,
        *,
        radius: float,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def radius(self) -> float:
        """radius [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class Bar(Part):
    """section of a cable given by its area and second moment, or by its stiffness"""

    def __init__(
        self,
        *,
        area: float = ...,
        inertia: float = ...,
        EA: float = ...,
        EI: float = ...,
        mass: float = ...,
    ) -> None: ...
    @property
    def area(self) -> float:
        """area; needed where EA is not given [m^2]"""
    @area.setter
    def area(self, value: float) -> None: ...
    @property
    def inertia(self) -> float:
        """second moment of area [m^4]"""
    @inertia.setter
    def inertia(self, value: float) -> None: ...
    @property
    def EA(self) -> float:
        """in place of E times area [N]"""
    @EA.setter
    def EA(self, value: float) -> None: ...
    @property
    def EI(self) -> float:
        """in place of E times inertia [N m^2]"""
    @EI.setter
    def EI(self, value: float) -> None: ...
    @property
    def mass(self) -> float:
        """mass per length, in place of density times area [kg/m]"""
    @mass.setter
    def mass(self, value: float) -> None: ...

class Plate(Part):
    """shell or plate of one layer"""

    def __init__(
        self,
        *,
        thickness: float,
    ) -> None: ...
    @property
    def thickness(self) -> float:
        """thickness [m]"""
    @thickness.setter
    def thickness(self, value: float) -> None: ...

class Layer(Part):
    """one layer of a shell"""

    def __init__(
        self,
        *,
        thickness: float,
        angle: float = ...,
        material: str = ...,
    ) -> None: ...
    @property
    def thickness(self) -> float:
        """thickness of the layer [m]"""
    @thickness.setter
    def thickness(self, value: float) -> None: ...
    @property
    def angle(self) -> float:
        """from the body's x to the material's 1, about the normal [deg]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def material(self) -> str:
        """name of a material; default: the body's"""
    @material.setter
    def material(self, value: str) -> None: ...

class Layered(Part):
    """shell of several layers, bottom first"""

    def __init__(
        self,
        *,
        layers: Sequence[Layer | Mapping[str, Any]],
    ) -> None: ...
    @property
    def layers(self) -> tuple[Layer, ...]:
        """the layers, bottom first"""
    @layers.setter
    def layers(self, value: Sequence[Layer | Mapping[str, Any]]) -> None: ...

class Tube(Part):
    """round hollow section of a beam or cable"""

    def __init__(
        self,
        *,
        radius: float,
        wall: float,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def radius(self) -> float:
        """outer radius [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def wall(self) -> float:
        """thickness of the wall [m]"""
    @wall.setter
    def wall(self, value: float) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class Box(Part):
    """rectangular hollow section of a beam"""

    def __init__(
        self,
        *,
        width: float,
        height: float,
        wall: float,
        top_wall: float | None = ...,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def width(self) -> float:
        """outer width, along the body's y [m]"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def height(self) -> float:
        """outer height, along the body's z [m]"""
    @height.setter
    def height(self, value: float) -> None: ...
    @property
    def wall(self) -> float:
        """thickness of the walls [m]"""
    @wall.setter
    def wall(self, value: float) -> None: ...
    @property
    def top_wall(self) -> float | None:
        """thickness of the walls across z; default: wall [m]"""
    @top_wall.setter
    def top_wall(self, value: float | None) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class ISection(Part):
    """section of a beam with a web along z and two flanges along y"""

    def __init__(
        self,
        *,
        height: float,
        width: float,
        flange: float,
        web: float,
        bottom_width: float | None = ...,
        bottom_flange: float | None = ...,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def height(self) -> float:
        """whole height, along the body's z [m]"""
    @height.setter
    def height(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """width of the flanges, along the body's y [m]"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def flange(self) -> float:
        """thickness of the flanges [m]"""
    @flange.setter
    def flange(self, value: float) -> None: ...
    @property
    def web(self) -> float:
        """thickness of the web [m]"""
    @web.setter
    def web(self, value: float) -> None: ...
    @property
    def bottom_width(self) -> float | None:
        """width of the flange at -z; default: width [m]"""
    @bottom_width.setter
    def bottom_width(self, value: float | None) -> None: ...
    @property
    def bottom_flange(self) -> float | None:
        """thickness of the flange at -z; default: flange [m]"""
    @bottom_flange.setter
    def bottom_flange(self, value: float | None) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class ChannelSection(Part):
    """section of a beam with a web along z and two flanges towards y"""

    def __init__(
        self,
        *,
        height: float,
        width: float,
        flange: float,
        web: float,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def height(self) -> float:
        """whole height, along the body's z [m]"""
    @height.setter
    def height(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """whole width, along the body's y [m]"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def flange(self) -> float:
        """thickness of the flanges [m]"""
    @flange.setter
    def flange(self, value: float) -> None: ...
    @property
    def web(self) -> float:
        """thickness of the web [m]"""
    @web.setter
    def web(self, value: float) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class AngleSection(Part):
    """section of a beam with a leg towards y and a leg towards z"""

    def __init__(
        self,
        *,
        height: float,
        width: float,
        thickness: float,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def height(self) -> float:
        """length of the leg along the body's z, with the corner [m]"""
    @height.setter
    def height(self, value: float) -> None: ...
    @property
    def width(self) -> float:
        """length of the leg along the body's y, with the corner [m]"""
    @width.setter
    def width(self, value: float) -> None: ...
    @property
    def thickness(self) -> float:
        """thickness of both legs [m]"""
    @thickness.setter
    def thickness(self, value: float) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class Polygon(Part):
    """section of a beam of any outline"""

    def __init__(
        self,
        *,
        points: Sequence[Sequence[float]] | NDArray[Any],
        holes: Sequence[Sequence[Sequence[float]] | NDArray[Any]] | NDArray[Any] = ...,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def points(self) -> tuple[tuple[float, float], ...] | NDArray[np.float64]:
        """corners [y, z], in order around it [m]"""
    @points.setter
    def points(self, value: Sequence[Sequence[float]] | NDArray[Any]) -> None: ...
    @property
    def holes(self) -> tuple[tuple[tuple[float, float], ...] | NDArray[np.float64], ...] | NDArray[np.float64]:
        """corners [y, z] of each hole, in order around it [m]"""
    @holes.setter
    def holes(self, value: Sequence[Sequence[Sequence[float]] | NDArray[Any]] | NDArray[Any]) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the centroid of the section [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class General(Part):
    """section of a beam given by its stiffness and mass; of the material only damping and expansion count"""

    def __init__(
        self,
        *,
        stiffness: Sequence[float] | Sequence[Sequence[float]],
        mass: float = ...,
        mass_first: Sequence[float] = ...,
        mass_second: Sequence[float] = ...,
        centroid: Sequence[float] = ...,
        shear_centre: Sequence[float] = ...,
        offset: Sequence[float] = ...,
    ) -> None: ...
    @property
    def stiffness(self) -> Sequence[float] | Sequence[Sequence[float]]:
        """of stretch, shear along y and z, twist, curvature about y and z: EA, GA_y, GA_z, GJ, EI_y, EI_z, or the whole matrix [N, N m, N m^2]"""
    @stiffness.setter
    def stiffness(self, value: Sequence[float] | Sequence[Sequence[float]]) -> None: ...
    @property
    def mass(self) -> float:
        """mass per length [kg/m]"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def mass_first(self) -> tuple[float, float]:
        """integrals of density times y, z [kg]"""
    @mass_first.setter
    def mass_first(self, value: Sequence[float]) -> None: ...
    @property
    def mass_second(self) -> tuple[float, float, float]:
        """integrals of density times yy, zz, yz [kg m]"""
    @mass_second.setter
    def mass_second(self, value: Sequence[float]) -> None: ...
    @property
    def centroid(self) -> tuple[float, float]:
        """y, z of the point that EA, EI_y and EI_z are about (with six stiffnesses) [m]"""
    @centroid.setter
    def centroid(self, value: Sequence[float]) -> None: ...
    @property
    def shear_centre(self) -> tuple[float, float]:
        """y, z of the point that GA_y, GA_z and GJ are about (with six stiffnesses) [m]"""
    @shear_centre.setter
    def shear_centre(self, value: Sequence[float]) -> None: ...
    @property
    def offset(self) -> tuple[float, float]:
        """the beam's line, y and z from the point that all of this is about [m]"""
    @offset.setter
    def offset(self, value: Sequence[float]) -> None: ...

class Tapered(Part):
    """section of a beam that changes evenly along its line, between two of one type"""

    def __init__(
        self,
        *,
        from_: str,
        to: str,
    ) -> None: ...
    @property
    def from_(self) -> str:
        """name of the section at the start"""
    @from_.setter
    def from_(self, value: str) -> None: ...
    @property
    def to(self) -> str:
        """name of the section at the end"""
    @to.setter
    def to(self, value: str) -> None: ...

class LineMesh(Part):
    """elements along a straight line (cable, beam)"""

    def __init__(
        self,
        *,
        from_: Sequence[float],
        to: Sequence[float],
        elements: int,
        width_direction: Sequence[float] | None = ...,
        twist: Sequence[float] = ...,
        unstretched_length: float | None = ...,
    ) -> None: ...
    @property
    def from_(self) -> tuple[float, float, float]:
        """start [m]"""
    @from_.setter
    def from_(self, value: Sequence[float]) -> None: ...
    @property
    def to(self) -> tuple[float, float, float]:
        """end [m]"""
    @to.setter
    def to(self, value: Sequence[float]) -> None: ...
    @property
    def elements(self) -> int:
        """number of elements"""
    @elements.setter
    def elements(self, value: int) -> None: ...
    @property
    def width_direction(self) -> tuple[float, float, float] | None:
        """direction of the section's width (made orthogonal to the line); default: horizontal"""
    @width_direction.setter
    def width_direction(self, value: Sequence[float] | None) -> None: ...
    @property
    def twist(self) -> tuple[float, float]:
        """of the section about the line, at its start and at its end, linear between; turns the width right-handed about the direction from start to end (beam) [deg]"""
    @twist.setter
    def twist(self, value: Sequence[float]) -> None: ...
    @property
    def unstretched_length(self) -> float | None:
        """free of stress; shorter than the distance of the ends: starts stretched; longer: starts slack, hanging (cable: catenary, beam: bow); default: the distance of the ends [m]"""
    @unstretched_length.setter
    def unstretched_length(self, value: float | None) -> None: ...

class ArcMesh(Part):
    """elements along a circular arc or a full circle, optionally twisted (beam)"""

    def __init__(
        self,
        *,
        center: Sequence[float] = ...,
        normal: Sequence[float] = ...,
        start: Sequence[float] = ...,
        radius: float,
        angle: float = ...,
        twist: float = ...,
        elements: int,
        unstretched_length: float | None = ...,
    ) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """center of the circle [m]"""
    @center.setter
    def center(self, value: Sequence[float]) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float]:
        """normal of the circle's plane"""
    @normal.setter
    def normal(self, value: Sequence[float]) -> None: ...
    @property
    def start(self) -> tuple[float, float, float]:
        """direction from the center to the start"""
    @start.setter
    def start(self, value: Sequence[float]) -> None: ...
    @property
    def radius(self) -> float:
        """radius of the axis [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def angle(self) -> float:
        """angle of the arc; the ends of a full circle are not joined (weld the last to the first) [deg]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def twist(self) -> float:
        """rotation of the section about the axis from start to end [deg]"""
    @twist.setter
    def twist(self, value: float) -> None: ...
    @property
    def elements(self) -> int:
        """number of elements"""
    @elements.setter
    def elements(self, value: int) -> None: ...
    @property
    def unstretched_length(self) -> float | None:
        """free of stress, an arc of the same angle; it starts stretched or compressed to the radius; default: the length of the arc [m]"""
    @unstretched_length.setter
    def unstretched_length(self, value: float | None) -> None: ...

class PlateMesh(Part):
    """flat rectangular plate (shell, hexa of one layer)"""

    def __init__(
        self,
        *,
        corner: Sequence[float] = ...,
        length: Sequence[float],
        width: Sequence[float],
        elements: Sequence[int],
    ) -> None: ...
    @property
    def corner(self) -> tuple[float, float, float]:
        """corner of the mid-surface [m]"""
    @corner.setter
    def corner(self, value: Sequence[float]) -> None: ...
    @property
    def length(self) -> tuple[float, float, float]:
        """edge along x from the corner [m]"""
    @length.setter
    def length(self, value: Sequence[float]) -> None: ...
    @property
    def width(self) -> tuple[float, float, float]:
        """edge along y from the corner [m]"""
    @width.setter
    def width(self, value: Sequence[float]) -> None: ...
    @property
    def elements(self) -> tuple[int, int]:
        """elements along length and width"""
    @elements.setter
    def elements(self, value: Sequence[int]) -> None: ...

class AnnularPlateMesh(Part):
    """flat ring or sector of a ring (shell, hexa of one layer)"""

    def __init__(
        self,
        *,
        center: Sequence[float] = ...,
        normal: Sequence[float] = ...,
        start: Sequence[float] = ...,
        inner_radius: float,
        outer_radius: float,
        angle: float = ...,
        elements: Sequence[int],
    ) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """center [m]"""
    @center.setter
    def center(self, value: Sequence[float]) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float]:
        """normal of the plane"""
    @normal.setter
    def normal(self, value: Sequence[float]) -> None: ...
    @property
    def start(self) -> tuple[float, float, float]:
        """direction from the center to the first edge"""
    @start.setter
    def start(self, value: Sequence[float]) -> None: ...
    @property
    def inner_radius(self) -> float:
        """inner radius [m]"""
    @inner_radius.setter
    def inner_radius(self, value: float) -> None: ...
    @property
    def outer_radius(self) -> float:
        """outer radius [m]"""
    @outer_radius.setter
    def outer_radius(self, value: float) -> None: ...
    @property
    def angle(self) -> float:
        """angle of the sector [deg]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def elements(self) -> tuple[int, int]:
        """elements around and across"""
    @elements.setter
    def elements(self, value: Sequence[int]) -> None: ...

class BlockMesh(Part):
    """box of solid elements (hexa)"""

    def __init__(
        self,
        *,
        corner: Sequence[float] = ...,
        length: Sequence[float],
        width: Sequence[float],
        height: Sequence[float],
        elements: Sequence[int],
    ) -> None: ...
    @property
    def corner(self) -> tuple[float, float, float]:
        """corner [m]"""
    @corner.setter
    def corner(self, value: Sequence[float]) -> None: ...
    @property
    def length(self) -> tuple[float, float, float]:
        """edge along x from the corner [m]"""
    @length.setter
    def length(self, value: Sequence[float]) -> None: ...
    @property
    def width(self) -> tuple[float, float, float]:
        """edge along y from the corner [m]"""
    @width.setter
    def width(self, value: Sequence[float]) -> None: ...
    @property
    def height(self) -> tuple[float, float, float]:
        """edge along z from the corner [m]"""
    @height.setter
    def height(self, value: Sequence[float]) -> None: ...
    @property
    def elements(self) -> tuple[int, int, int]:
        """elements along length, width and height"""
    @elements.setter
    def elements(self, value: Sequence[int]) -> None: ...

class PipeMesh(Part):
    """thick-walled pipe or a sector of it, along a straight axis (solids)"""

    def __init__(
        self,
        *,
        from_: Sequence[float],
        to: Sequence[float],
        start: Sequence[float] | None = ...,
        inner_radius: float,
        outer_radius: float,
        angle: float = ...,
        elements: Sequence[int],
    ) -> None: ...
    @property
    def from_(self) -> tuple[float, float, float]:
        """start of the axis [m]"""
    @from_.setter
    def from_(self, value: Sequence[float]) -> None: ...
    @property
    def to(self) -> tuple[float, float, float]:
        """end of the axis [m]"""
    @to.setter
    def to(self, value: Sequence[float]) -> None: ...
    @property
    def start(self) -> tuple[float, float, float] | None:
        """direction from the axis to the first elements (made orthogonal to the axis); default: horizontal"""
    @start.setter
    def start(self, value: Sequence[float] | None) -> None: ...
    @property
    def inner_radius(self) -> float:
        """inner radius [m]"""
    @inner_radius.setter
    def inner_radius(self, value: float) -> None: ...
    @property
    def outer_radius(self) -> float:
        """outer radius [m]"""
    @outer_radius.setter
    def outer_radius(self, value: float) -> None: ...
    @property
    def angle(self) -> float:
        """angle of the sector [deg]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def elements(self) -> tuple[int, int, int]:
        """elements along the axis, around it and through the wall"""
    @elements.setter
    def elements(self, value: Sequence[int]) -> None: ...

class SideSelection(Part):
    """edges or surfaces of elements that meet every condition given"""

    def __init__(
        self,
        *,
        of: Literal["boundary", "top", "bottom", "surface", "left", "right"] = ...,
        nodes: str = ...,
        normal: Sequence[float] | None = ...,
        within: float = ...,
        box: Sequence[Sequence[float]] | None = ...,
    ) -> None: ...
    @property
    def of(self) -> Literal["boundary", "top", "bottom", "surface", "left", "right"]:
        """boundary (what one element alone has: edges of shells, faces of solids), of shells top, bottom, surface, of beams top, bottom, left, right"""
    @of.setter
    def of(self, value: Literal["boundary", "top", "bottom", "surface", "left", "right"]) -> None: ...
    @property
    def nodes(self) -> str:
        """set of nodes that holds all nodes of a side"""
    @nodes.setter
    def nodes(self, value: str) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float] | None:
        """outward normal of a side at its middle"""
    @normal.setter
    def normal(self, value: Sequence[float] | None) -> None: ...
    @property
    def within(self) -> float:
        """largest angle between the two [deg]"""
    @within.setter
    def within(self, value: float) -> None: ...
    @property
    def box(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        """lowest and highest corner, around all nodes of a side [m]"""
    @box.setter
    def box(self, value: Sequence[Sequence[float]] | None) -> None: ...

class NodeMesh(Part):
    """nodes and elements given one by one (any element)"""

    def __init__(
        self,
        *,
        nodes: Sequence[Sequence[float]] | NDArray[Any],
        elements: Sequence[Sequence[int]] | NDArray[Any],
        size: Sequence[Sequence[float]] | NDArray[Any] = ...,
        sets: Mapping[str, Sequence[int]] = ...,
        sides: Mapping[str, SideSelection | Mapping[str, Any]] = ...,
    ) -> None: ...
    @property
    def nodes(self) -> tuple[tuple[float, ...], ...] | NDArray[np.float64]:
        """per node the vectors of its kind: r, r_x, r_y, r_z, 12 numbers (cables r, r_x: 6) [m and 1]"""
    @nodes.setter
    def nodes(self, value: Sequence[Sequence[float]] | NDArray[Any]) -> None: ...
    @property
    def elements(self) -> tuple[tuple[int, ...], ...] | NDArray[np.int64]:
        """per element its nodes, from 0"""
    @elements.setter
    def elements(self, value: Sequence[Sequence[int]] | NDArray[Any]) -> None: ...
    @property
    def size(self) -> tuple[tuple[float, float, float], ...] | NDArray[np.float64]:
        """per element L, W, T over which x, y, z run; a single row serves all [m]"""
    @size.setter
    def size(self, value: Sequence[Sequence[float]] | NDArray[Any]) -> None: ...
    @property
    def sets(self) -> Named[tuple[int, ...]]:
        """named lists of nodes"""
    @sets.setter
    def sets(self, value: Mapping[str, Sequence[int]]) -> None: ...
    @property
    def sides(self) -> Named[SideSelection]:
        """named edges and surfaces, for loads"""
    @sides.setter
    def sides(self, value: Mapping[str, SideSelection | Mapping[str, Any]]) -> None: ...

class NetMesh(Part):
    """cables in two directions, tied at every crossing"""

    def __init__(
        self,
        *,
        corner: Sequence[float] = ...,
        along: Sequence[float] = ...,
        across: Sequence[float] = ...,
        cells: Sequence[int],
        elements: int = ...,
    ) -> None: ...
    @property
    def corner(self) -> tuple[float, float, float]:
        """first crossing [m]"""
    @corner.setter
    def corner(self, value: Sequence[float]) -> None: ...
    @property
    def along(self) -> tuple[float, float, float]:
        """side of a cell along the rows [m]"""
    @along.setter
    def along(self, value: Sequence[float]) -> None: ...
    @property
    def across(self) -> tuple[float, float, float]:
        """side of a cell along the columns [m]"""
    @across.setter
    def across(self, value: Sequence[float]) -> None: ...
    @property
    def cells(self) -> tuple[int, int]:
        """cells along and across"""
    @cells.setter
    def cells(self, value: Sequence[int]) -> None: ...
    @property
    def elements(self) -> int:
        """elements along the side of a cell"""
    @elements.setter
    def elements(self, value: int) -> None: ...

class FileMesh(Part):
    """solids from a file of gmsh (.msh) or of Abaqus and CalculiX (.inp)"""

    def __init__(
        self,
        *,
        path: str,
        instance: str = ...,
        group: str = ...,
        digest: str = ...,
    ) -> None: ...
    @property
    def path(self) -> str:
        """the file, relative to that of the model"""
    @path.setter
    def path(self, value: str) -> None: ...
    @property
    def instance(self) -> str:
        """instance of an assembly; default: the only one"""
    @instance.setter
    def instance(self, value: str) -> None: ...
    @property
    def group(self) -> str:
        """physical volume or element set; default: all elements"""
    @group.setter
    def group(self, value: str) -> None: ...
    @property
    def digest(self) -> str:
        """of the file, as results keep it: another file is refused"""
    @digest.setter
    def digest(self, value: str) -> None: ...

class Rayleigh(Part):
    """forces mass M v + stiffness K v: a mode has the ratio mass/(2 omega) + stiffness omega/2"""

    def __init__(
        self,
        *,
        mass: float = ...,
        stiffness: float = ...,
    ) -> None: ...
    @property
    def mass(self) -> float:
        """share of the mass matrix; also slows rigid motions [1/s]"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """share of the stiffness, added to 'damping' of every material [s]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...

class Start(Part):
    """a start turned about a point and then displaced from the reference configuration"""

    def __init__(
        self,
        *,
        displacement: Sequence[float] = ...,
        axis: Sequence[float] = ...,
        angle: float = ...,
        center: Sequence[float] = ...,
    ) -> None: ...
    @property
    def displacement(self) -> tuple[float, float, float]:
        """from the reference configuration [m]"""
    @displacement.setter
    def displacement(self, value: Sequence[float]) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of the rotation"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...
    @property
    def angle(self) -> float:
        """of the rotation, right-handed [deg]"""
    @angle.setter
    def angle(self, value: float) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """point that the rotation leaves where it is [m]"""
    @center.setter
    def center(self, value: Sequence[float]) -> None: ...

class Body(Part):
    """elements of one kind, material and section"""

    def __init__(
        self,
        *,
        element: Literal["cable", "beam3243", "shell3443", "hexa3843", "hex8", "tet4", "tet10"],
        material: str = ...,
        section: str = ...,
        mesh: LineMesh | ArcMesh | PlateMesh | AnnularPlateMesh | BlockMesh | PipeMesh | NodeMesh | NetMesh | FileMesh | Mapping[str, Any],
        formulation: Literal["section", "continuum"] | None = ...,
        quadrature: Sequence[int] = ...,
        poisson_quadrature: Sequence[int] = ...,
        material_axes: Literal["body", "global"] = ...,
        connect: Literal["nodes", "constraints"] = ...,
        strategy: str | None = ...,
        mass: Literal["consistent", "lumped"] | None = ...,
        damping: Rayleigh | Mapping[str, Any] = ...,
        eta: float = ...,
        kinematics: Literal["TL", "BC", "BC-RO", "BC-MODAL", "rigid"] = ...,
        base: str = ...,
        start: Start | Mapping[str, Any] | None = ...,
        contact_radius: float | None = ...,
        contact_as: Literal["string", "spheres"] = ...,
        contact_spheres: int = ...,
    ) -> None: ...
    @property
    def element(self) -> Literal["cable", "beam3243", "shell3443", "hexa3843", "hex8", "tet4", "tet10"]:
        """element kind"""
    @element.setter
    def element(self, value: Literal["cable", "beam3243", "shell3443", "hexa3843", "hex8", "tet4", "tet10"]) -> None: ...
    @property
    def material(self) -> str:
        """name of a material; not needed where the section says stiffness and mass (general, bar)"""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def section(self) -> str:
        """name of a section (not for blocks)"""
    @section.setter
    def section(self, value: str) -> None: ...
    @property
    def mesh(self) -> LineMesh | ArcMesh | PlateMesh | AnnularPlateMesh | BlockMesh | PipeMesh | NodeMesh | NetMesh | FileMesh:
        """where its nodes and elements come from"""
    @mesh.setter
    def mesh(self, value: LineMesh | ArcMesh | PlateMesh | AnnularPlateMesh | BlockMesh | PipeMesh | NodeMesh | NetMesh | FileMesh | Mapping[str, Any]) -> None: ...
    @property
    def formulation(self) -> Literal["section", "continuum"] | None:
        """section: strains and stiffness of the section, right on coarse meshes (default of beam3243 and shell3443); continuum: strains at points of the volume, as published (P0)"""
    @formulation.setter
    def formulation(self, value: Literal["section", "continuum"] | None) -> None: ...
    @property
    def quadrature(self) -> tuple[int, ...]:
        """continuum: Gauss points per direction; default: cable [5, 3], beam [3, 2, 2], shell [4, 4, 2] a layer, hexa [4, 4, 4], hex8 [2, 2, 2]; tetrahedra [1] or [4] points in all"""
    @quadrature.setter
    def quadrature(self, value: Sequence[int]) -> None: ...
    @property
    def poisson_quadrature(self) -> tuple[int, ...]:
        """beam: Gauss points of the Poisson part; default [n, 1, 1]"""
    @poisson_quadrature.setter
    def poisson_quadrature(self, value: Sequence[int]) -> None: ...
    @property
    def material_axes(self) -> Literal["body", "global"]:
        """axes of the law: of the body at each point, or global (P0 gives its beams' law along global axes)"""
    @material_axes.setter
    def material_axes(self, value: Literal["body", "global"]) -> None: ...
    @property
    def connect(self) -> Literal["nodes", "constraints"]:
        """elements share nodes, or have their own and are joined by constraints (P1)"""
    @connect.setter
    def connect(self, value: Literal["nodes", "constraints"]) -> None: ...
    @property
    def strategy(self) -> str | None:
        """how forces are computed; default: the model's"""
    @strategy.setter
    def strategy(self, value: str | None) -> None: ...
    @property
    def mass(self) -> Literal["consistent", "lumped"] | None:
        """consistent: as the shape functions spread it; lumped: at the nodes alone (default of hex8, tet4 and tet10)"""
    @mass.setter
    def mass(self, value: Literal["consistent", "lumped"] | None) -> None: ...
    @property
    def damping(self) -> Rayleigh:
        """Rayleigh damping, beside the damping of its materials"""
    @damping.setter
    def damping(self, value: Rayleigh | Mapping[str, Any]) -> None: ...
    @property
    def eta(self) -> float:
        """damping force eta K(q) v with the stiffness of the present shape (P2), beside all others [s]"""
    @eta.setter
    def eta(self, value: float) -> None: ...
    @property
    def kinematics(self) -> Literal["TL", "BC", "BC-RO", "BC-MODAL", "rigid"]:
        """TL: any deformation; BC: small strains about the rotation of the body; BC-RO, BC-MODAL: the modes of a base about it; rigid: none. All but TL need the integrator half_step"""
    @kinematics.setter
    def kinematics(self, value: Literal["TL", "BC", "BC-RO", "BC-MODAL", "rigid"]) -> None: ...
    @property
    def base(self) -> str:
        """BC-RO, BC-MODAL: file of the modes, made by 'lithe reduce'"""
    @base.setter
    def base(self, value: str) -> None: ...
    @property
    def start(self) -> Start | None:
        """where it starts; default: in its reference configuration, where joints are measured"""
    @start.setter
    def start(self, value: Start | Mapping[str, Any] | None) -> None: ...
    @property
    def contact_radius(self) -> float | None:
        """cables: radius of the string that others touch; default: that of a section of type circle or tube [m]"""
    @contact_radius.setter
    def contact_radius(self, value: float | None) -> None: ...
    @property
    def contact_as(self) -> Literal["string", "spheres"]:
        """cables: string: round and without gaps; spheres: balls along it (P1), for comparison"""
    @contact_as.setter
    def contact_as(self, value: Literal["string", "spheres"]) -> None: ...
    @property
    def contact_spheres(self) -> int:
        """contact_as: spheres: balls of each element, evenly along it"""
    @contact_spheres.setter
    def contact_spheres(self, value: int) -> None: ...

class BoxShape(Part):
    """box, edges along the body's axes"""

    def __init__(
        self,
        *,
        size: Sequence[float],
    ) -> None: ...
    @property
    def size(self) -> tuple[float, float, float]:
        """edges; 0 for a thin plate or rod, with 'mass' [m]"""
    @size.setter
    def size(self, value: Sequence[float]) -> None: ...

class SphereShape(Part):
    """ball"""

    def __init__(
        self,
        *,
        radius: float,
    ) -> None: ...
    @property
    def radius(self) -> float:
        """radius [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...

class CylinderShape(Part):
    """cylinder along the body's z"""

    def __init__(
        self,
        *,
        radius: float,
        length: float,
    ) -> None: ...
    @property
    def radius(self) -> float:
        """radius; 0 for a thin rod, with 'mass' [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """length along z; 0 for a thin disc, with 'mass' [m]"""
    @length.setter
    def length(self, value: float) -> None: ...

class TubeShape(Part):
    """hollow cylinder along the body's z"""

    def __init__(
        self,
        *,
        inner_radius: float,
        outer_radius: float,
        length: float,
    ) -> None: ...
    @property
    def inner_radius(self) -> float:
        """inner radius [m]"""
    @inner_radius.setter
    def inner_radius(self, value: float) -> None: ...
    @property
    def outer_radius(self) -> float:
        """outer radius [m]"""
    @outer_radius.setter
    def outer_radius(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """length along z [m]"""
    @length.setter
    def length(self, value: float) -> None: ...

class CapsuleShape(Part):
    """cylinder along the body's z with half a ball on either end"""

    def __init__(
        self,
        *,
        radius: float,
        length: float,
    ) -> None: ...
    @property
    def radius(self) -> float:
        """radius [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def length(self) -> float:
        """length of the cylinder, without its ends [m]"""
    @length.setter
    def length(self, value: float) -> None: ...

class MeshShape(Part):
    """triangles of a file: STL (binary and text) or OBJ"""

    def __init__(
        self,
        *,
        path: str,
        scale: float = ...,
        open: bool = ...,
        digest: str = ...,
    ) -> None: ...
    @property
    def path(self) -> str:
        """file, relative to that of the model"""
    @path.setter
    def path(self, value: str) -> None: ...
    @property
    def scale(self) -> float:
        """length of one unit of the file, which does not say it: 0.001 for millimetres [m]"""
    @scale.setter
    def scale(self, value: float) -> None: ...
    @property
    def open(self) -> bool:
        """the surface has a rim, and is touched from outside alone: terrain (obstacles, contact_shape)"""
    @open.setter
    def open(self, value: bool) -> None: ...
    @property
    def digest(self) -> str:
        """of the file, as results keep it: another file is refused"""
    @digest.setter
    def digest(self, value: str) -> None: ...

class ShapePart(Part):
    """a shape of a compound and where it is"""

    def __init__(
        self,
        *,
        shape: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | Mapping[str, Any],
        position: Sequence[float] = ...,
        x_axis: Sequence[float] | None = ...,
        y_axis: Sequence[float] | None = ...,
        orientation: Sequence[float] | None = ...,
        density: float | None = ...,
    ) -> None: ...
    @property
    def shape(self) -> BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape:
        """what it looks like"""
    @shape.setter
    def shape(self, value: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | Mapping[str, Any]) -> None: ...
    @property
    def position(self) -> tuple[float, float, float]:
        """of the origin of its frame in that of the compound [m]"""
    @position.setter
    def position(self, value: Sequence[float]) -> None: ...
    @property
    def x_axis(self) -> tuple[float, float, float] | None:
        """x of its frame; default: that of the compound"""
    @x_axis.setter
    def x_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def y_axis(self) -> tuple[float, float, float] | None:
        """y of its frame (made orthogonal to x); default: that of the compound"""
    @y_axis.setter
    def y_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def orientation(self) -> tuple[float, float, float, float] | None:
        """of its frame as a quaternion [w, x, y, z], instead of x_axis and y_axis; made of unit length"""
    @orientation.setter
    def orientation(self, value: Sequence[float] | None) -> None: ...
    @property
    def density(self) -> float | None:
        """mass density; default: the body's [kg/m^3]"""
    @density.setter
    def density(self, value: float | None) -> None: ...

class CompoundShape(Part):
    """several shapes as one; where they overlap mass counts twice"""

    def __init__(
        self,
        *,
        shapes: Sequence[ShapePart | Mapping[str, Any]],
    ) -> None: ...
    @property
    def shapes(self) -> tuple[ShapePart, ...]:
        """the shapes and where they are"""
    @shapes.setter
    def shapes(self, value: Sequence[ShapePart | Mapping[str, Any]]) -> None: ...

class RigidBody(Part):
    """rigid body; mass and inertia given, or from a shape and density"""

    def __init__(
        self,
        *,
        position: Sequence[float] = ...,
        x_axis: Sequence[float] | None = ...,
        y_axis: Sequence[float] | None = ...,
        orientation: Sequence[float] | None = ...,
        mass: float | None = ...,
        inertia: Sequence[float] | None = ...,
        inertia_point: Sequence[float] | None = ...,
        shape: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any] | None = ...,
        density: float = ...,
        velocity: Sequence[float] = ...,
        angular_velocity: Sequence[float] = ...,
        points: Mapping[str, Sequence[float]] = ...,
        origin: Literal["center", "shape"] = ...,
        contact_shape: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any] | None = ...,
        start: Start | Mapping[str, Any] | None = ...,
    ) -> None: ...
    @property
    def position(self) -> tuple[float, float, float]:
        """of its origin: the centre of mass, unless 'origin' says otherwise [m]"""
    @position.setter
    def position(self, value: Sequence[float]) -> None: ...
    @property
    def x_axis(self) -> tuple[float, float, float] | None:
        """x of its frame in global components; default: global x"""
    @x_axis.setter
    def x_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def y_axis(self) -> tuple[float, float, float] | None:
        """y of its frame (made orthogonal to x); default: global y"""
    @y_axis.setter
    def y_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def orientation(self) -> tuple[float, float, float, float] | None:
        """of its frame as a quaternion [w, x, y, z], instead of x_axis and y_axis; made of unit length"""
    @orientation.setter
    def orientation(self, value: Sequence[float] | None) -> None: ...
    @property
    def mass(self) -> float | None:
        """mass, with inertia, or with a shape instead of its density; 0: a massless point or lever, which others carry [kg]"""
    @mass.setter
    def mass(self, value: float | None) -> None: ...
    @property
    def inertia(self) -> tuple[float, ...] | None:
        """about the centre along the frame: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] (entries of the tensor) [kg m^2]"""
    @inertia.setter
    def inertia(self, value: Sequence[float] | None) -> None: ...
    @property
    def inertia_point(self) -> tuple[float, float, float] | None:
        """point of its frame that 'inertia' is about; default: the centre of mass [m]"""
    @inertia_point.setter
    def inertia_point(self, value: Sequence[float] | None) -> None: ...
    @property
    def shape(self) -> BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | None:
        """solid that gives the inertia, with density or mass"""
    @shape.setter
    def shape(self, value: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any] | None) -> None: ...
    @property
    def density(self) -> float:
        """mass density of the shape [kg/m^3]"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def velocity(self) -> tuple[float, float, float]:
        """of the centre at the start [m/s]"""
    @velocity.setter
    def velocity(self, value: Sequence[float]) -> None: ...
    @property
    def angular_velocity(self) -> tuple[float, float, float]:
        """at the start, global components [rad/s]"""
    @angular_velocity.setter
    def angular_velocity(self, value: Sequence[float]) -> None: ...
    @property
    def points(self) -> Named[tuple[float, float, float]]:
        """named places in the body's frame, from its origin [m]"""
    @points.setter
    def points(self, value: Mapping[str, Sequence[float]]) -> None: ...
    @property
    def origin(self) -> Literal["center", "shape"]:
        """what 'position' and 'points' count from: the centre of mass, or the origin of the frame of 'shape', such as that of a CAD file"""
    @origin.setter
    def origin(self, value: Literal["center", "shape"]) -> None: ...
    @property
    def contact_shape(self) -> BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | None:
        """what others touch; default: 'shape', and in its frame (without 'shape': from the centre of mass)"""
    @contact_shape.setter
    def contact_shape(self, value: BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any] | None) -> None: ...
    @property
    def start(self) -> Start | None:
        """where it starts; default: in its reference configuration, where joints are measured"""
    @start.setter
    def start(self, value: Start | Mapping[str, Any] | None) -> None: ...

class PointMass(Part):
    """a mass without extent"""

    def __init__(
        self,
        *,
        mass: float,
        position: Sequence[float] = ...,
        velocity: Sequence[float] = ...,
        start: Start | Mapping[str, Any] | None = ...,
    ) -> None: ...
    @property
    def mass(self) -> float:
        """mass [kg]"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def position(self) -> tuple[float, float, float]:
        """in the reference configuration [m]"""
    @position.setter
    def position(self, value: Sequence[float]) -> None: ...
    @property
    def velocity(self) -> tuple[float, float, float]:
        """at the start [m/s]"""
    @velocity.setter
    def velocity(self, value: Sequence[float]) -> None: ...
    @property
    def start(self) -> Start | None:
        """where it starts; default: in its reference configuration, where joints are measured"""
    @start.setter
    def start(self, value: Start | Mapping[str, Any] | None) -> None: ...

class Linkage(Part):
    """points joined by thin rigid bars (natural coordinates, P4)"""

    def __init__(
        self,
        *,
        points: Sequence[Sequence[float]] | NDArray[Any],
        bars: Sequence[Sequence[int]] | NDArray[Any] = ...,
        bar_mass: float = ...,
        bar_masses: Sequence[float] = ...,
        point_masses: Sequence[float] = ...,
        plane: Sequence[float] | None = ...,
        ground: Sequence[int] = ...,
        sets: Mapping[str, Sequence[int]] = ...,
    ) -> None: ...
    @property
    def points(self) -> tuple[tuple[float, float, float], ...] | NDArray[np.float64]:
        """the points [m]"""
    @points.setter
    def points(self, value: Sequence[Sequence[float]] | NDArray[Any]) -> None: ...
    @property
    def bars(self) -> tuple[tuple[int, int], ...] | NDArray[np.int64]:
        """pairs of points, from 0"""
    @bars.setter
    def bars(self, value: Sequence[Sequence[int]] | NDArray[Any]) -> None: ...
    @property
    def bar_mass(self) -> float:
        """mass of every bar [kg]"""
    @bar_mass.setter
    def bar_mass(self, value: float) -> None: ...
    @property
    def bar_masses(self) -> tuple[float, ...]:
        """one per bar instead [kg]"""
    @bar_masses.setter
    def bar_masses(self, value: Sequence[float]) -> None: ...
    @property
    def point_masses(self) -> tuple[float, ...]:
        """one per point in addition [kg]"""
    @point_masses.setter
    def point_masses(self, value: Sequence[float]) -> None: ...
    @property
    def plane(self) -> tuple[float, float, float] | None:
        """normal of the plane in which the points stay; default: none"""
    @plane.setter
    def plane(self, value: Sequence[float] | None) -> None: ...
    @property
    def ground(self) -> tuple[int, ...]:
        """points that do not move"""
    @ground.setter
    def ground(self, value: Sequence[int]) -> None: ...
    @property
    def sets(self) -> Named[tuple[int, ...]]:
        """named lists of points"""
    @sets.setter
    def sets(self, value: Mapping[str, Sequence[int]]) -> None: ...

class Clamp(Part):
    """holds position and rotation of nodes"""

    def __init__(
        self,
        *,
        at: Place,
        hold: Literal["section", "all"] = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or set of nodes"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def hold(self) -> Literal["section", "all"]:
        """section (position and rotation; it may stretch) or all (every coordinate)"""
    @hold.setter
    def hold(self, value: Literal["section", "all"]) -> None: ...

class Fix(Part):
    """holds chosen coordinates of nodes, along any directions"""

    def __init__(
        self,
        *,
        at: Place,
        coordinates: Sequence[Literal["position", "x_gradient", "y_gradient", "z_gradient"]] = ...,
        along: Sequence[Sequence[float]] | NDArray[Any] = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or set of nodes"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def coordinates(self) -> tuple[Literal["position", "x_gradient", "y_gradient", "z_gradient"], ...]:
        """position, x_gradient, y_gradient, z_gradient"""
    @coordinates.setter
    def coordinates(self, value: Sequence[Literal["position", "x_gradient", "y_gradient", "z_gradient"]]) -> None: ...
    @property
    def along(self) -> tuple[tuple[float, float, float], ...] | NDArray[np.float64]:
        """directions that are held; default: all"""
    @along.setter
    def along(self, value: Sequence[Sequence[float]] | NDArray[Any]) -> None: ...

class SymmetryPlane(Part):
    """plane of symmetry through nodes: what lies in it stays, what crosses it stays normal"""

    def __init__(
        self,
        *,
        at: Place,
        normal: Sequence[float] | None = ...,
        axis: Literal["x", "y", "z"] | None = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or set of nodes in the plane"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float] | None:
        """normal of the plane"""
    @normal.setter
    def normal(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> Literal["x", "y", "z"] | None:
        """instead: the global axis that is its normal"""
    @axis.setter
    def axis(self, value: Literal["x", "y", "z"] | None) -> None: ...

class Pin(Part):
    """holds the position of nodes or of a point; rotation is free"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node, set of nodes or point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class Roller(Part):
    """holds the position of nodes or of a point along one direction"""

    def __init__(
        self,
        *,
        at: Place,
        normal: Sequence[float],
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node, set of nodes or point"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float]:
        """direction that is held"""
    @normal.setter
    def normal(self, value: Sequence[float]) -> None: ...

class Weld(Part):
    """joins position and frame"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...

class Spherical(Part):
    """joins two points"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...

class Revolute(Part):
    """turns about an axis"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of the joint in the reference configuration"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...

class Universal(Part):
    """two crossed axes that stay perpendicular"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis_a: Sequence[float] = ...,
        axis_b: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis_a(self) -> tuple[float, float, float]:
        """axis that stays in a"""
    @axis_a.setter
    def axis_a(self, value: Sequence[float]) -> None: ...
    @property
    def axis_b(self) -> tuple[float, float, float]:
        """axis that stays in b"""
    @axis_b.setter
    def axis_b(self, value: Sequence[float]) -> None: ...

class Cylindrical(Part):
    """turns about and slides along an axis"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of the joint in the reference configuration"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...

class Prismatic(Part):
    """slides along an axis"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of the joint in the reference configuration"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...

class Planar(Part):
    """slides in a plane and turns about its normal"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        normal: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float]:
        """of the plane, belongs to a"""
    @normal.setter
    def normal(self, value: Sequence[float]) -> None: ...

class Distance(Part):
    """keeps two points at a distance"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        distance: Signal | None = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def distance(self) -> Signal | None:
        """default: the one of the reference configuration [m]"""
    @distance.setter
    def distance(self, value: Signal | None) -> None: ...

class PointOnLine(Part):
    """a point of b stays on a line of a"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """direction of the line, belongs to a"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...

class Gear(Part):
    """angle of joint_b = ratio * angle of joint_a"""

    def __init__(
        self,
        *,
        joint_a: str,
        joint_b: str,
        ratio: float = ...,
    ) -> None: ...
    @property
    def joint_a(self) -> str:
        """a revolute or cylindrical joint"""
    @joint_a.setter
    def joint_a(self, value: str) -> None: ...
    @property
    def joint_b(self) -> str:
        """a revolute or cylindrical joint"""
    @joint_b.setter
    def joint_b(self, value: str) -> None: ...
    @property
    def ratio(self) -> float:
        """of the angles, with its sign"""
    @ratio.setter
    def ratio(self, value: float) -> None: ...

class Motion(Part):
    """a place follows given displacements, or turns by a given angle"""

    def __init__(
        self,
        *,
        at: Place,
        displacement: Sequence[Signal | None] = ...,
        velocity: Sequence[Signal | None] = ...,
        angle: Signal | None = ...,
        axis: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node, point of a rigid body or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def displacement(self) -> tuple[Signal | None, Signal | None, Signal | None]:
        """x, y, z from the reference position; null: free [m]"""
    @displacement.setter
    def displacement(self, value: Sequence[Signal | None]) -> None: ...
    @property
    def velocity(self) -> tuple[Signal | None, Signal | None, Signal | None]:
        """instead of displacements: along x, y, z, from the reference position at t = 0 on; null: free [m/s]"""
    @velocity.setter
    def velocity(self, value: Sequence[Signal | None]) -> None: ...
    @property
    def angle(self) -> Signal | None:
        """the place turns about 'axis' by it, from the reference, and not otherwise [rad]"""
    @angle.setter
    def angle(self, value: Signal | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """of 'angle', a fixed direction"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...

class Turn(Part):
    """the angle of a joint follows a signal"""

    def __init__(
        self,
        *,
        joint: str,
        angle: Signal | None = ...,
        rate: Signal | None = ...,
        coordinate: Literal["angle", "travel", "angle_a", "angle_b"] | None = ...,
        angles: Sequence[Signal | None] = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a revolute, cylindrical, screw, planar, universal or spherical joint"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def angle(self) -> Signal | None:
        """of b against a, from the reference [rad]"""
    @angle.setter
    def angle(self, value: Signal | None) -> None: ...
    @property
    def rate(self) -> Signal | None:
        """of the angle, instead of it [rad/s]"""
    @rate.setter
    def rate(self, value: Signal | None) -> None: ...
    @property
    def coordinate(self) -> Literal["angle", "travel", "angle_a", "angle_b"] | None:
        """universal: angle_a (default) or angle_b, about its two axes"""
    @coordinate.setter
    def coordinate(self, value: Literal["angle", "travel", "angle_a", "angle_b"] | None) -> None: ...
    @property
    def angles(self) -> tuple[Signal | None, Signal | None, Signal | None]:
        """spherical: of b against a about x, then about y and z as they have turned, global axes in the reference; null: free [rad]"""
    @angles.setter
    def angles(self, value: Sequence[Signal | None]) -> None: ...

class Slide(Part):
    """the travel of a joint follows a signal"""

    def __init__(
        self,
        *,
        joint: str,
        travel: Signal | None = ...,
        rate: Signal | None = ...,
        axis: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def travel(self) -> Signal | None:
        """of b against a, from the reference [m]"""
    @travel.setter
    def travel(self, value: Signal | None) -> None: ...
    @property
    def rate(self) -> Signal | None:
        """of the travel, instead of it [m/s]"""
    @rate.setter
    def rate(self, value: Signal | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """planar: direction in the plane, belongs to a"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...

class Screw(Part):
    """slides along an axis in proportion to its turn"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        axis: Sequence[float] = ...,
        pitch: float,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of the joint in the reference configuration"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...
    @property
    def pitch(self) -> float:
        """travel a turn, right-handed; negative: left-handed [m]"""
    @pitch.setter
    def pitch(self, value: float) -> None: ...

class PointInPlane(Part):
    """a point of b stays in a plane of a"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        normal: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place, or ground"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the joint, for a body given without a place; default: where the other one is [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float]:
        """of the plane, belongs to a"""
    @normal.setter
    def normal(self, value: Sequence[float]) -> None: ...

class RackAndPinion(Part):
    """travel of the rack = radius * angle of the pinion"""

    def __init__(
        self,
        *,
        pinion: str,
        rack: str,
        radius: float,
    ) -> None: ...
    @property
    def pinion(self) -> str:
        """a joint with an angle"""
    @pinion.setter
    def pinion(self, value: str) -> None: ...
    @property
    def rack(self) -> str:
        """a joint with a travel"""
    @rack.setter
    def rack(self, value: str) -> None: ...
    @property
    def radius(self) -> float:
        """of the pinion; negative: the rack goes the other way [m]"""
    @radius.setter
    def radius(self, value: float) -> None: ...

class SlideAlong(Part):
    """a point of b slides along a cable or beam"""

    def __init__(
        self,
        *,
        line: str,
        b: Place,
    ) -> None: ...
    @property
    def line(self) -> str:
        """a body of cables or beams with a line or arc mesh"""
    @line.setter
    def line(self, value: str) -> None: ...
    @property
    def b(self) -> Place:
        """place that slides, or a point of the ground through which the line runs"""
    @b.setter
    def b(self, value: Place) -> None: ...

class Reeving(Part):
    """a rope of given length from point to point, over sheaves without friction"""

    def __init__(
        self,
        *,
        points: Sequence[Place],
        falls: Sequence[float] = ...,
        length: Signal | None = ...,
    ) -> None: ...
    @property
    def points(self) -> tuple[Place, ...]:
        """places from one end of the rope to the other, sheaves between"""
    @points.setter
    def points(self, value: Sequence[Place]) -> None: ...
    @property
    def falls(self) -> tuple[float, ...]:
        """how many times the rope runs between one point and the next; default: once"""
    @falls.setter
    def falls(self, value: Sequence[float]) -> None: ...
    @property
    def length(self) -> Signal | None:
        """of all falls together, a drive for a winch; default: that of the reference configuration [m]"""
    @length.setter
    def length(self, value: Signal | None) -> None: ...

class RigidConnection(Part):
    """nodes move as if they were part of a rigid body"""

    def __init__(
        self,
        *,
        a: Place,
        nodes: Place,
        hold: Literal["section", "all"] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """rigid body ('mass: 0' makes a reference point of it), or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def nodes(self) -> Place:
        """node or set of nodes"""
    @nodes.setter
    def nodes(self, value: Place) -> None: ...
    @property
    def hold(self) -> Literal["section", "all"]:
        """section (positions and rotation; it may stretch) or all (every coordinate)"""
    @hold.setter
    def hold(self, value: Literal["section", "all"]) -> None: ...

class DistributingConnection(Part):
    """a rigid body moves as the mean of nodes does; forces on it spread over them, which stay flexible"""

    def __init__(
        self,
        *,
        a: Place,
        nodes: Place,
        mean: Literal["sides", "nodes"] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """rigid body ('mass: 0' makes a reference point of it), or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def nodes(self) -> Place:
        """set of nodes"""
    @nodes.setter
    def nodes(self, value: Place) -> None: ...
    @property
    def mean(self) -> Literal["sides", "nodes"]:
        """over the sides of elements that the nodes span (uniform and linear tractions), or nodes (positions, all alike)"""
    @mean.setter
    def mean(self, value: Literal["sides", "nodes"]) -> None: ...

class Spring(Part):
    """spring, damper and force along the line between two points"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        stiffness: float = ...,
        damping: float = ...,
        free_length: float | None = ...,
        force: Signal = ...,
        law: Signal | None = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first point, or {body: ground, point: [x, y, z]}"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second point"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def stiffness(self) -> float:
        """stiffness [N/m]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """damping [N s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def free_length(self) -> float | None:
        """default: the length of the reference configuration [m]"""
    @free_length.setter
    def free_length(self, value: float | None) -> None: ...
    @property
    def force(self) -> Signal:
        """over time; pulls the points together [N]"""
    @force.setter
    def force(self, value: Signal) -> None: ...
    @property
    def law(self) -> Signal | None:
        """force over x = length - free_length and its rate v, beside the others [N]"""
    @law.setter
    def law(self, value: Signal | None) -> None: ...

class TorsionSpring(Part):
    """spring, damper and moment about the axis of a joint"""

    def __init__(
        self,
        *,
        joint: str,
        stiffness: float = ...,
        damping: float = ...,
        free_angle: float = ...,
        moment: Signal = ...,
        law: Signal | None = ...,
        coordinate: Literal["angle", "travel", "angle_a", "angle_b"] | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a revolute, cylindrical, screw, planar or universal joint"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def stiffness(self) -> float:
        """stiffness [N m/rad]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """damping [N m s/rad]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def free_angle(self) -> float:
        """angle without moment [rad]"""
    @free_angle.setter
    def free_angle(self, value: float) -> None: ...
    @property
    def moment(self) -> Signal:
        """over time; turns b against a [N m]"""
    @moment.setter
    def moment(self, value: Signal) -> None: ...
    @property
    def law(self) -> Signal | None:
        """moment over x = angle - free_angle and its rate v, beside the others [N m]"""
    @law.setter
    def law(self, value: Signal | None) -> None: ...
    @property
    def coordinate(self) -> Literal["angle", "travel", "angle_a", "angle_b"] | None:
        """universal: angle_a (default) or angle_b, about its two axes"""
    @coordinate.setter
    def coordinate(self, value: Literal["angle", "travel", "angle_a", "angle_b"] | None) -> None: ...

class Bushing(Part):
    """elastic and viscous connection of two frames"""

    def __init__(
        self,
        *,
        a: Place,
        b: Place,
        point: Sequence[float] | None = ...,
        x_axis: Sequence[float] | None = ...,
        y_axis: Sequence[float] | None = ...,
        stiffness: Sequence[float] = ...,
        damping: Sequence[float] = ...,
        torsion_stiffness: Sequence[float] = ...,
        torsion_damping: Sequence[float] = ...,
    ) -> None: ...
    @property
    def a(self) -> Place:
        """first place, or ground"""
    @a.setter
    def a(self, value: Place) -> None: ...
    @property
    def b(self) -> Place:
        """second place"""
    @b.setter
    def b(self, value: Place) -> None: ...
    @property
    def point(self) -> tuple[float, float, float] | None:
        """of the bushing, for a body given without a place [m]"""
    @point.setter
    def point(self, value: Sequence[float] | None) -> None: ...
    @property
    def x_axis(self) -> tuple[float, float, float] | None:
        """of the bushing in the reference configuration; default: global x"""
    @x_axis.setter
    def x_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def y_axis(self) -> tuple[float, float, float] | None:
        """made orthogonal to x; default: global y"""
    @y_axis.setter
    def y_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def stiffness(self) -> tuple[float, float, float]:
        """along x, y, z [N/m]"""
    @stiffness.setter
    def stiffness(self, value: Sequence[float]) -> None: ...
    @property
    def damping(self) -> tuple[float, float, float]:
        """along x, y, z [N s/m]"""
    @damping.setter
    def damping(self, value: Sequence[float]) -> None: ...
    @property
    def torsion_stiffness(self) -> tuple[float, float, float]:
        """about x, y, z [N m/rad]"""
    @torsion_stiffness.setter
    def torsion_stiffness(self, value: Sequence[float]) -> None: ...
    @property
    def torsion_damping(self) -> tuple[float, float, float]:
        """about x, y, z [N m s/rad]"""
    @torsion_damping.setter
    def torsion_damping(self, value: Sequence[float]) -> None: ...

class TravelSpring(Part):
    """spring, damper and force along the travel of a joint"""

    def __init__(
        self,
        *,
        joint: str,
        stiffness: float = ...,
        damping: float = ...,
        free_travel: float = ...,
        force: Signal = ...,
        law: Signal | None = ...,
        axis: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def stiffness(self) -> float:
        """stiffness [N/m]"""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """damping [N s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def free_travel(self) -> float:
        """travel without force [m]"""
    @free_travel.setter
    def free_travel(self, value: float) -> None: ...
    @property
    def force(self) -> Signal:
        """over time; moves b against a [N]"""
    @force.setter
    def force(self, value: Signal) -> None: ...
    @property
    def law(self) -> Signal | None:
        """force over x = travel - free_travel and its rate v, beside the others [N]"""
    @law.setter
    def law(self, value: Signal | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """planar: direction in the plane, belongs to a; the travel is along it"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...

class Friction(Part):
    """friction in a joint, up to force + coefficient N: by half steps it sticks exactly, else it creeps, tanh(rate / slow)"""

    def __init__(
        self,
        *,
        joint: str,
        coordinate: Literal["angle", "travel", "angle_a", "angle_b"] | None = ...,
        force: float | None = ...,
        coefficient: float | None = ...,
        slow: float | None = ...,
        axis: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a joint with an angle or a travel"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def coordinate(self) -> Literal["angle", "travel", "angle_a", "angle_b"] | None:
        """angle, travel, or angle_a and angle_b of a universal; default: the joint's first"""
    @coordinate.setter
    def coordinate(self, value: Literal["angle", "travel", "angle_a", "angle_b"] | None) -> None: ...
    @property
    def force(self) -> float | None:
        """when it slides; about an angle N m [N]"""
    @force.setter
    def force(self, value: float | None) -> None: ...
    @property
    def coefficient(self) -> float | None:
        """of the force N across the line: slide_along (of the step before), by half steps prismatic and cylindrical"""
    @coefficient.setter
    def coefficient(self, value: float | None) -> None: ...
    @property
    def slow(self) -> float | None:
        """rate below which it creeps instead of sticking; of an angle rad/s; default: half_step none, others 0.01 [m/s]"""
    @slow.setter
    def slow(self, value: float | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """planar: direction in the plane, belongs to a; the travel is along it"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...

class Stop(Part):
    """limits of a joint: pushes back beyond them, never pulls"""

    def __init__(
        self,
        *,
        joint: str,
        coordinate: Literal["angle", "travel", "angle_a", "angle_b"] | None = ...,
        lower: float | None = ...,
        upper: float | None = ...,
        stiffness: float | None = ...,
        damping: float = ...,
        width: float | None = ...,
        axis: Sequence[float] | None = ...,
        restitution: float = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a joint with an angle or a travel"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def coordinate(self) -> Literal["angle", "travel", "angle_a", "angle_b"] | None:
        """angle, travel, or angle_a and angle_b of a universal; default: the joint's first"""
    @coordinate.setter
    def coordinate(self, value: Literal["angle", "travel", "angle_a", "angle_b"] | None) -> None: ...
    @property
    def lower(self) -> float | None:
        """lower limit; of an angle rad [m]"""
    @lower.setter
    def lower(self, value: float | None) -> None: ...
    @property
    def upper(self) -> float | None:
        """upper limit; of an angle rad [m]"""
    @upper.setter
    def upper(self, value: float | None) -> None: ...
    @property
    def stiffness(self) -> float | None:
        """beyond a limit; of an angle N m/rad; default: half_step rigid, others need one [N/m]"""
    @stiffness.setter
    def stiffness(self, value: float | None) -> None: ...
    @property
    def damping(self) -> float:
        """beyond a limit; of an angle N m s/rad [N s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def width(self) -> float | None:
        """over which the stiffness sets in; default: a hundredth of the range, with one limit 0.01 rad or 1e-3 of the size of the model [m]"""
    @width.setter
    def width(self, value: float | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """planar: direction in the plane, the travel is along it; spherical: direction whose angle from where it is in a, a cone, is limited"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def restitution(self) -> float:
        """without stiffness: share of the speed at which it bounces back"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...

class PdDrive(Part):
    """a drive that follows a target: kp (target - x) + kd (target' - v)"""

    def __init__(
        self,
        *,
        joint: str,
        coordinate: Literal["angle", "travel", "angle_a", "angle_b"] | None = ...,
        target: Signal,
        kp: float,
        kd: float = ...,
        limit: float | None = ...,
        axis: Sequence[float] | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """a joint with an angle or a travel"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def coordinate(self) -> Literal["angle", "travel", "angle_a", "angle_b"] | None:
        """angle, travel, or angle_a and angle_b of a universal; default: the joint's first"""
    @coordinate.setter
    def coordinate(self, value: Literal["angle", "travel", "angle_a", "angle_b"] | None) -> None: ...
    @property
    def target(self) -> Signal:
        """of the travel, m, or angle, rad"""
    @target.setter
    def target(self, value: Signal) -> None: ...
    @property
    def kp(self) -> float:
        """proportional gain; of an angle N m/rad [N/m]"""
    @kp.setter
    def kp(self, value: float) -> None: ...
    @property
    def kd(self) -> float:
        """gain of the rate; of an angle N m s/rad [N s/m]"""
    @kd.setter
    def kd(self, value: float) -> None: ...
    @property
    def limit(self) -> float | None:
        """largest force, reached smoothly (tanh); of an angle N m; default: none [N]"""
    @limit.setter
    def limit(self, value: float | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float] | None:
        """planar: direction in the plane, belongs to a; the travel is along it"""
    @axis.setter
    def axis(self, value: Sequence[float] | None) -> None: ...

class Rope(Part):
    """an elastic rope from point to point, over sheaves without friction; never pushes"""

    def __init__(
        self,
        *,
        points: Sequence[Place],
        falls: Sequence[float] = ...,
        EA: float,
        damping: float = ...,
        length: Signal | None = ...,
    ) -> None: ...
    @property
    def points(self) -> tuple[Place, ...]:
        """places from one end of the rope to the other, sheaves between"""
    @points.setter
    def points(self, value: Sequence[Place]) -> None: ...
    @property
    def falls(self) -> tuple[float, ...]:
        """how many times the rope runs between one point and the next; default: once"""
    @falls.setter
    def falls(self, value: Sequence[float]) -> None: ...
    @property
    def EA(self) -> float:
        """stiffness of the section: tension for a strain of 1 [N]"""
    @EA.setter
    def EA(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """tension for the rate of the length, while it pulls [N s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def length(self) -> Signal | None:
        """unstretched, of all falls together, a drive for a winch; default: that of the reference configuration [m]"""
    @length.setter
    def length(self, value: Signal | None) -> None: ...

class PlaneShape(Part):
    """endless plane through its origin, outside on the side of its z"""

    def __init__(
        self,
    ) -> None: ...

class Obstacle(Part):
    """a fixed or driven shape without mass"""

    def __init__(
        self,
        *,
        shape: PlaneShape | BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any],
        position: Sequence[float] = ...,
        x_axis: Sequence[float] | None = ...,
        y_axis: Sequence[float] | None = ...,
        normal: Sequence[float] | None = ...,
        displacement: Sequence[Signal | None] = ...,
        angle: Signal | None = ...,
        axis: Sequence[float] = ...,
    ) -> None: ...
    @property
    def shape(self) -> PlaneShape | BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape:
        """what it looks like"""
    @shape.setter
    def shape(self, value: PlaneShape | BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape | Mapping[str, Any]) -> None: ...
    @property
    def position(self) -> tuple[float, float, float]:
        """of the origin of its frame [m]"""
    @position.setter
    def position(self, value: Sequence[float]) -> None: ...
    @property
    def x_axis(self) -> tuple[float, float, float] | None:
        """x of its frame in global components; default: global x"""
    @x_axis.setter
    def x_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def y_axis(self) -> tuple[float, float, float] | None:
        """y of its frame (made orthogonal to x); default: global y"""
    @y_axis.setter
    def y_axis(self, value: Sequence[float] | None) -> None: ...
    @property
    def normal(self) -> tuple[float, float, float] | None:
        """of a plane, instead of axes: points outside; default: z"""
    @normal.setter
    def normal(self, value: Sequence[float] | None) -> None: ...
    @property
    def displacement(self) -> tuple[Signal | None, Signal | None, Signal | None]:
        """x, y, z over time, from its position; null: stays [m]"""
    @displacement.setter
    def displacement(self, value: Sequence[Signal | None]) -> None: ...
    @property
    def angle(self) -> Signal | None:
        """over time, about 'axis' through its origin [rad]"""
    @angle.setter
    def angle(self, value: Signal | None) -> None: ...
    @property
    def axis(self) -> tuple[float, float, float]:
        """of 'angle', global components"""
    @axis.setter
    def axis(self, value: Sequence[float]) -> None: ...

class Contact(Part):
    """which bodies and obstacles touch, and by which law"""

    def __init__(
        self,
        *,
        between: str | Sequence[str],
        except_: Sequence[str | Sequence[str]] = ...,
        law: Literal["nonsmooth", "penalty", "none"] = ...,
        friction: float = ...,
        restitution: float = ...,
        initial_overlap: Literal["error", "accept"] = ...,
        stiffness: float | None = ...,
        exponent: float = ...,
        damping: float = ...,
        tangential_stiffness: float | None = ...,
        tangential_damping: float = ...,
    ) -> None: ...
    @property
    def between(self) -> str | tuple[str, ...]:
        """[a, b]: bodies, obstacles or 'groups'; [a, self]: a body with itself; [a, all]: with every other one; all: every pair. What a joint holds together touches only where both are named"""
    @between.setter
    def between(self, value: str | Sequence[str]) -> None: ...
    @property
    def except_(self) -> tuple[str | tuple[str, ...], ...]:
        """names, and pairs [a, b] of names, that this entry is not for"""
    @except_.setter
    def except_(self, value: Sequence[str | Sequence[str]]) -> None: ...
    @property
    def law(self) -> Literal["nonsmooth", "penalty", "none"]:
        """nonsmooth: no penetration and Coulomb friction, exactly (half_step); penalty: forces that grow with the depth (the other integrators, statics); none: they pass through each other"""
    @law.setter
    def law(self, value: Literal["nonsmooth", "penalty", "none"]) -> None: ...
    @property
    def friction(self) -> float:
        """Coulomb's coefficient"""
    @friction.setter
    def friction(self, value: float) -> None: ...
    @property
    def restitution(self) -> float:
        """Newton's: normal velocity after an impact over that before, 0 to 1"""
    @restitution.setter
    def restitution(self, value: float) -> None: ...
    @property
    def initial_overlap(self) -> Literal["error", "accept"]:
        """bodies that begin inside each other: an error, or accepted and moved apart"""
    @initial_overlap.setter
    def initial_overlap(self, value: Literal["error", "accept"]) -> None: ...
    @property
    def stiffness(self) -> float | None:
        """penalty: of each point of contact, normal force over depth^exponent; default: of the materials and the sizes that meet [N/m^exponent]"""
    @stiffness.setter
    def stiffness(self, value: float | None) -> None: ...
    @property
    def exponent(self) -> float:
        """penalty: of the depth; 1.5: Hertz's, 1: a spring"""
    @exponent.setter
    def exponent(self, value: float) -> None: ...
    @property
    def damping(self) -> float:
        """penalty: the normal force times (1 + damping * rate of the depth), never pulling [s/m]"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def tangential_stiffness(self) -> float | None:
        """penalty, of what friction holds; default: 0.82 of the normal slope where the point was pressed most [N/m]"""
    @tangential_stiffness.setter
    def tangential_stiffness(self, value: float | None) -> None: ...
    @property
    def tangential_damping(self) -> float:
        """penalty: of what friction holds, over tangential_stiffness [s]"""
    @tangential_damping.setter
    def tangential_damping(self, value: float) -> None: ...

class InitialVelocity(Part):
    """velocities at the start; several add up"""

    def __init__(
        self,
        *,
        on: Place,
        velocity: Sequence[SpaceFunction] = ...,
        gradient_rates: Literal["field", "zero"] = ...,
        angular_velocity: Sequence[float] = ...,
        center: Sequence[float] = ...,
    ) -> None: ...
    @property
    def on(self) -> Place:
        """body, set of nodes or node"""
    @on.setter
    def on(self, value: Place) -> None: ...
    @property
    def velocity(self) -> tuple[SpaceFunction, SpaceFunction, SpaceFunction]:
        """components: numbers or expressions of x, y, z (reference position) [m/s]"""
    @velocity.setter
    def velocity(self, value: Sequence[SpaceFunction]) -> None: ...
    @property
    def gradient_rates(self) -> Literal["field", "zero"]:
        """of the nodes' gradients under 'velocity': field (its derivatives) or zero"""
    @gradient_rates.setter
    def gradient_rates(self, value: Literal["field", "zero"]) -> None: ...
    @property
    def angular_velocity(self) -> tuple[float, float, float]:
        """rigid rotation in addition, gradients turn too [rad/s]"""
    @angular_velocity.setter
    def angular_velocity(self, value: Sequence[float]) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """of that rotation [m]"""
    @center.setter
    def center(self, value: Sequence[float]) -> None: ...

class PointForce(Part):
    """force at a point, dead or turning with the body"""

    def __init__(
        self,
        *,
        at: Place,
        force: Sequence[Signal],
        follower: bool = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def force(self) -> tuple[Signal, Signal, Signal]:
        """components [N]"""
    @force.setter
    def force(self, value: Sequence[Signal]) -> None: ...
    @property
    def follower(self) -> bool:
        """it turns with the body at the point; components are those before the body turns (global axes)"""
    @follower.setter
    def follower(self, value: bool) -> None: ...

class PointMoment(Part):
    """moment at a point of a body with gradients r_x, r_y, r_z, dead or turning with the body"""

    def __init__(
        self,
        *,
        at: Place,
        moment: Sequence[Signal],
        turns: Literal["section", "gradients"] = ...,
        follower: bool = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def moment(self) -> tuple[Signal, Signal, Signal]:
        """components [N m]"""
    @moment.setter
    def moment(self, value: Sequence[Signal]) -> None: ...
    @property
    def turns(self) -> Literal["section", "gradients"]:
        """section (as joints hold it) or gradients (r_x, r_y, r_z alike)"""
    @turns.setter
    def turns(self, value: Literal["section", "gradients"]) -> None: ...
    @property
    def follower(self) -> bool:
        """it turns with the body at the point; components are those before the body turns (global axes)"""
    @follower.setter
    def follower(self, value: bool) -> None: ...

class LineLoad(Part):
    """dead force per reference length on an edge or along a line"""

    def __init__(
        self,
        *,
        on: Place,
        force: Sequence[Signal],
    ) -> None: ...
    @property
    def on(self) -> Place:
        """edge, or body of a line"""
    @on.setter
    def on(self, value: Place) -> None: ...
    @property
    def force(self) -> tuple[Signal, Signal, Signal]:
        """components [N/m]"""
    @force.setter
    def force(self, value: Sequence[Signal]) -> None: ...

class Pressure(Part):
    """pressure that follows a surface"""

    def __init__(
        self,
        *,
        on: Place,
        pressure: Signal,
    ) -> None: ...
    @property
    def on(self) -> Place:
        """surface"""
    @on.setter
    def on(self, value: Place) -> None: ...
    @property
    def pressure(self) -> Signal:
        """against the surface's normal [Pa]"""
    @pressure.setter
    def pressure(self, value: Signal) -> None: ...

class Gravity(Part):
    """uniform acceleration on all bodies"""

    def __init__(
        self,
        *,
        acceleration: Sequence[Signal] = ...,
    ) -> None: ...
    @property
    def acceleration(self) -> tuple[Signal, Signal, Signal]:
        """components [m/s^2]"""
    @acceleration.setter
    def acceleration(self, value: Sequence[Signal]) -> None: ...

class BodyForce(Part):
    """dead force per reference volume of a body"""

    def __init__(
        self,
        *,
        body: str,
        force: Sequence[Signal],
    ) -> None: ...
    @property
    def body(self) -> str:
        """name of a flexible body, or of a rigid one with a shape"""
    @body.setter
    def body(self, value: str) -> None: ...
    @property
    def force(self) -> tuple[Signal, Signal, Signal]:
        """components [N/m^3]"""
    @force.setter
    def force(self, value: Sequence[Signal]) -> None: ...

class Temperature(Part):
    """change of temperature of a flexible body against its reference"""

    def __init__(
        self,
        *,
        body: str,
        change: Signal = ...,
        gradient_y: Signal = ...,
        gradient_z: Signal = ...,
    ) -> None: ...
    @property
    def body(self) -> str:
        """name of a body"""
    @body.setter
    def body(self, value: str) -> None: ...
    @property
    def change(self) -> Signal:
        """change on the body's line or middle surface; of a solid where y = z = 0 [K]"""
    @change.setter
    def change(self, value: Signal) -> None: ...
    @property
    def gradient_y(self) -> Signal:
        """rise along the section's y (beams) or the global y (solids) [K/m]"""
    @gradient_y.setter
    def gradient_y(self, value: Signal) -> None: ...
    @property
    def gradient_z(self) -> Signal:
        """rise along the section's z (beams and shells) or the global z (solids) [K/m]"""
    @gradient_z.setter
    def gradient_z(self, value: Signal) -> None: ...

class Traction(Part):
    """dead force per reference area of a surface"""

    def __init__(
        self,
        *,
        on: Place,
        force: Sequence[Signal],
    ) -> None: ...
    @property
    def on(self) -> Place:
        """surface, or edge (over its thickness)"""
    @on.setter
    def on(self, value: Place) -> None: ...
    @property
    def force(self) -> tuple[Signal, Signal, Signal]:
        """components [Pa]"""
    @force.setter
    def force(self, value: Sequence[Signal]) -> None: ...

class DisplacementOutput(Part):
    """displacement of a point"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class PositionOutput(Part):
    """position of a point"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class GradientOutput(Part):
    """r_x, r_y, r_z at a point, nine components"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class StressOutput(Part):
    """strain and stress at a point"""

    def __init__(
        self,
        *,
        at: Place,
        axes: Literal["element", "global"] | None = ...,
        principal: bool = ...,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """material point"""
    @at.setter
    def at(self, value: Place) -> None: ...
    @property
    def axes(self) -> Literal["element", "global"] | None:
        """element (and layer; they turn with the body) or global, of all columns; default: E and S along the element's axes, sigma along global ones"""
    @axes.setter
    def axes(self, value: Literal["element", "global"] | None) -> None: ...
    @property
    def principal(self) -> bool:
        """principal values of sigma too, the largest first"""
    @principal.setter
    def principal(self, value: bool) -> None: ...

class SectionForcesOutput(Part):
    """what a section carries, along its own axes: N, Q, M of a beam, per length of a shell, N and M of a cable"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """place on a beam or shell of formulation 'section', or on a cable"""
    @at.setter
    def at(self, value: Place) -> None: ...

class MaxVonMisesOutput(Part):
    """largest von Mises stress of a body"""

    def __init__(
        self,
        *,
        body: str,
        samples: int = ...,
    ) -> None: ...
    @property
    def body(self) -> str:
        """name of a body"""
    @body.setter
    def body(self, value: str) -> None: ...
    @property
    def samples(self) -> int:
        """equally spaced points per direction of an element"""
    @samples.setter
    def samples(self, value: int) -> None: ...

class ReactionOutput(Part):
    """force that a constraint exerts, and torque about its node (several: their mean)"""

    def __init__(
        self,
        *,
        constraint: str,
        frame: Place | None = ...,
    ) -> None: ...
    @property
    def constraint(self) -> str:
        """name of a constraint"""
    @constraint.setter
    def constraint(self, value: str) -> None: ...
    @property
    def frame(self) -> Place | None:
        """rigid body, or place on a body with r_x, r_y, r_z, whose axes the components are along; default: global axes"""
    @frame.setter
    def frame(self, value: Place | None) -> None: ...

class EnergyOutput(Part):
    """kinetic, potential (gravity), strain, springs, total"""

    def __init__(
        self,
    ) -> None: ...

class VelocityOutput(Part):
    """velocity of a point"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class AccelerationOutput(Part):
    """acceleration of a point"""

    def __init__(
        self,
        *,
        at: Place,
    ) -> None: ...
    @property
    def at(self) -> Place:
        """node or material point"""
    @at.setter
    def at(self, value: Place) -> None: ...

class RotationOutput(Part):
    """axes of a rigid body or of a section, and their angular velocity"""

    def __init__(
        self,
        *,
        body: str = ...,
        at: Place | None = ...,
    ) -> None: ...
    @property
    def body(self) -> str:
        """name of a rigid body"""
    @body.setter
    def body(self, value: str) -> None: ...
    @property
    def at(self) -> Place | None:
        """instead: a place on a body with r_x, r_y, r_z"""
    @at.setter
    def at(self, value: Place | None) -> None: ...

class JointOutput(Part):
    """force and torque of a joint on b (of a connection: on its nodes); its angle and travel"""

    def __init__(
        self,
        *,
        joint: str,
        frame: Place | None = ...,
    ) -> None: ...
    @property
    def joint(self) -> str:
        """name of a joint"""
    @joint.setter
    def joint(self, value: str) -> None: ...
    @property
    def frame(self) -> Place | None:
        """rigid body, or place on a body with r_x, r_y, r_z, whose axes the components are along; default: global axes"""
    @frame.setter
    def frame(self, value: Place | None) -> None: ...

class SpringOutput(Part):
    """length or angle of a spring, its rate and its force or moment"""

    def __init__(
        self,
        *,
        spring: str,
    ) -> None: ...
    @property
    def spring(self) -> str:
        """name of a spring"""
    @spring.setter
    def spring(self, value: str) -> None: ...

class MomentumOutput(Part):
    """linear momentum, angular momentum about the origin"""

    def __init__(
        self,
    ) -> None: ...

class ConstraintOutput(Part):
    """largest violation of the constraints and of their rates"""

    def __init__(
        self,
    ) -> None: ...

class ContactOutput(Part):
    """of an entry of 'contacts': points that press, sums over them of the normal forces and of the lengths of the friction forces (nonsmooth: means over the step), force on the body named first, smallest gap, work done so far"""

    def __init__(
        self,
        *,
        contact: str,
    ) -> None: ...
    @property
    def contact(self) -> str:
        """name of a contact"""
    @contact.setter
    def contact(self, value: str) -> None: ...

class StaticAnalysis(Part):
    """nonlinear equilibrium by load steps or arc length"""

    def __init__(
        self,
        *,
        method: Literal["newton", "arc_length"] = ...,
        duration: float = ...,
        first_step: float = ...,
        largest_step: float = ...,
        smallest_step: float = ...,
        tolerance: float = ...,
        correction_tolerance: float = ...,
        iterations: int = ...,
        line_search: bool = ...,
        arc_length: float = ...,
        on_instability: Literal["warn", "error", "perturb"] = ...,
        largest_steps: int = ...,
        output_factors: Sequence[float] = ...,
        solver: str = ...,
        ordering: str = ...,
        fields: Sequence[Literal["position", "velocity", "stress", "contact"]] | None = ...,
        fields_every: int = ...,
        name: str | None = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def method(self) -> Literal["newton", "arc_length"]:
        """newton (load steps) or arc_length (passes limit points)"""
    @method.setter
    def method(self, value: Literal["newton", "arc_length"]) -> None: ...
    @property
    def duration(self) -> float:
        """time until the full load; tables and expressions run over it; 0: time stands still, constant loads alone grow [s]"""
    @duration.setter
    def duration(self, value: float) -> None: ...
    @property
    def first_step(self) -> float:
        """first load step, of 1"""
    @first_step.setter
    def first_step(self, value: float) -> None: ...
    @property
    def largest_step(self) -> float:
        """largest load step, of 1"""
    @largest_step.setter
    def largest_step(self, value: float) -> None: ...
    @property
    def smallest_step(self) -> float:
        """the run ends when a smaller step would be needed"""
    @smallest_step.setter
    def smallest_step(self, value: float) -> None: ...
    @property
    def tolerance(self) -> float:
        """residual relative to the forces in the system"""
    @tolerance.setter
    def tolerance(self, value: float) -> None: ...
    @property
    def correction_tolerance(self) -> float:
        """correction relative to the size of the model"""
    @correction_tolerance.setter
    def correction_tolerance(self, value: float) -> None: ...
    @property
    def iterations(self) -> int:
        """largest number of Newton iterations a step"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def line_search(self) -> bool:
        """shorten Newton steps that turn an element inside out or make the residual explode"""
    @line_search.setter
    def line_search(self, value: bool) -> None: ...
    @property
    def arc_length(self) -> float:
        """arc_length: first step of the load factor"""
    @arc_length.setter
    def arc_length(self, value: float) -> None: ...
    @property
    def on_instability(self) -> Literal["warn", "error", "perturb"]:
        """of an equilibrium: warn, error (the run ends there), or perturb (disturb it by 1e-3 of the size of the model along its most unstable mode and follow it to a stable one)"""
    @on_instability.setter
    def on_instability(self, value: Literal["warn", "error", "perturb"]) -> None: ...
    @property
    def largest_steps(self) -> int:
        """the run ends after so many load steps"""
    @largest_steps.setter
    def largest_steps(self, value: int) -> None: ...
    @property
    def output_factors(self) -> tuple[float, ...]:
        """load factors at which a step ends; outputs are those, the start and the full load; without it every step is one"""
    @output_factors.setter
    def output_factors(self, value: Sequence[float]) -> None: ...
    @property
    def solver(self) -> str:
        """linear solver by name, or auto"""
    @solver.setter
    def solver(self, value: str) -> None: ...
    @property
    def ordering(self) -> str:
        """ordering of the linear solver, or auto"""
    @ordering.setter
    def ordering(self, value: str) -> None: ...
    @property
    def fields(self) -> tuple[Literal["position", "velocity", "stress", "contact"], ...] | None:
        """what is recorded of the bodies beside the channels: position, velocity, stress, contact (the list of points); default: all"""
    @fields.setter
    def fields(self, value: Sequence[Literal["position", "velocity", "stress", "contact"]] | None) -> None: ...
    @property
    def fields_every(self) -> int:
        """number of load steps from one with fields to the next; those between hold the channels alone"""
    @fields_every.setter
    def fields_every(self, value: int) -> None: ...
    @property
    def name(self) -> str | None:
        """of this stage in a list of stages; default: stage1, stage2, ..."""
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def threads(self) -> int:
        """0: all cores"""
    @threads.setter
    def threads(self, value: int) -> None: ...

class KrylovOptions(Part):
    """how iterative solvers iterate"""

    def __init__(
        self,
        *,
        preconditioner: Literal["auto", "none", "jacobi", "block_jacobi", "incomplete", "factor", "constraint", "mass", "spike"] = ...,
        operator: Literal["assembled", "matrix_free"] = ...,
        factor: str = ...,
        tolerance: float | str = ...,
        iterations: int = ...,
        restart: int = ...,
        update: Literal["adaptive", "never", "uniform", "threshold"] = ...,
        update_every: int = ...,
        update_above: int = ...,
        precision: Literal["single", "double"] = ...,
        partitions: int | str = ...,
        keep: float | str = ...,
        truncate: bool = ...,
        second_stage: bool = ...,
        ordering: Literal["rcm", "spectral"] = ...,
        matching: Literal["product", "cardinality", "none"] = ...,
    ) -> None: ...
    @property
    def preconditioner(self) -> Literal["auto", "none", "jacobi", "block_jacobi", "incomplete", "factor", "constraint", "mass", "spike"]:
        """none, jacobi (diagonal), block_jacobi (vectors of a node, or elements that stand alone), incomplete (factors without fill), factor (a direct solver's, kept), constraint (blocks and all constraints: treatment lagrange), mass (the mass matrix, factored once: short steps), spike (bands in partitions: gmres and bicgstab); auto: constraint with treatment lagrange, else block_jacobi"""
    @preconditioner.setter
    def preconditioner(self, value: Literal["auto", "none", "jacobi", "block_jacobi", "incomplete", "factor", "constraint", "mass", "spike"]) -> None: ...
    @property
    def operator(self) -> Literal["assembled", "matrix_free"]:
        """products with the matrix: assembled, or matrix_free (the forces of the elements along a direction, by dual numbers; exact, so that damping makes it unsymmetric: gmres and bicgstab)"""
    @operator.setter
    def operator(self, value: Literal["assembled", "matrix_free"]) -> None: ...
    @property
    def factor(self) -> str:
        """preconditioner factor: direct solver by name, or auto"""
    @factor.setter
    def factor(self, value: str) -> None: ...
    @property
    def tolerance(self) -> float | str:
        """residual of a solve over its right-hand side: a number, auto (what Newton's next correction can use, by those of the step before; 1e-10 to 0.1) or paper (P3, section 3.2)"""
    @tolerance.setter
    def tolerance(self, value: float | str) -> None: ...
    @property
    def iterations(self) -> int:
        """largest number in a solve"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def restart(self) -> int:
        """gmres: iterations between restarts"""
    @restart.setter
    def restart(self, value: int) -> None: ...
    @property
    def update(self) -> Literal["adaptive", "never", "uniform", "threshold"]:
        """of the preconditioner: adaptive (when solves take half as many iterations again as its first one), never (once), uniform (every update_every matrices) or threshold (after a solve of more than update_above iterations); where a solve fails in any case"""
    @update.setter
    def update(self, value: Literal["adaptive", "never", "uniform", "threshold"]) -> None: ...
    @property
    def update_every(self) -> int:
        """update uniform: matrices"""
    @update_every.setter
    def update_every(self, value: int) -> None: ...
    @property
    def update_above(self) -> int:
        """update threshold: iterations"""
    @update_above.setter
    def update_above(self, value: int) -> None: ...
    @property
    def precision(self) -> Literal["single", "double"]:
        """spike: of its numbers, single or double"""
    @precision.setter
    def precision(self, value: Literal["single", "double"]) -> None: ...
    @property
    def partitions(self) -> int | str:
        """spike: at most so many, each as long as the band is wide at least; auto: each eight times as long as the band is wide"""
    @partitions.setter
    def partitions(self, value: int | str) -> None: ...
    @property
    def keep(self) -> float | str:
        """spike: the band is as narrow as holds this share of the sum of magnitudes; auto: all of it"""
    @keep.setter
    def keep(self, value: float | str) -> None: ...
    @property
    def truncate(self) -> bool:
        """spike: cuts between partitions do not see each other; false: exact, a direct solver"""
    @truncate.setter
    def truncate(self, value: bool) -> None: ...
    @property
    def second_stage(self) -> bool:
        """spike: an order of its own in each partition"""
    @second_stage.setter
    def second_stage(self, value: bool) -> None: ...
    @property
    def ordering(self) -> Literal["rcm", "spectral"]:
        """spike: rcm (reverse Cuthill-McKee) or spectral (Fiedler vector), for a narrow band"""
    @ordering.setter
    def ordering(self, value: Literal["rcm", "spectral"]) -> None: ...
    @property
    def matching(self) -> Literal["product", "cardinality", "none"]:
        """spike: rows on the diagonal, product (of maximum product, scaled), cardinality (as many entries as can be) or none (rows stay; a multiplier stands behind a coordinate that it holds)"""
    @matching.setter
    def matching(self, value: Literal["product", "cardinality", "none"]) -> None: ...

class ContactSettings(Part):
    """how contact forces are found"""

    def __init__(
        self,
        *,
        solver: str = ...,
        tolerance: float = ...,
        iterations: int = ...,
        activation: Literal["speculative", "touching"] = ...,
        move_apart: bool = ...,
    ) -> None: ...
    @property
    def solver(self) -> str:
        """auto, or a contact solver by name"""
    @solver.setter
    def solver(self, value: str) -> None: ...
    @property
    def tolerance(self) -> float:
        """of relative velocities, over the largest one"""
    @tolerance.setter
    def tolerance(self, value: float) -> None: ...
    @property
    def iterations(self) -> int:
        """at most; 0: what the method takes to be enough"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def activation(self) -> Literal["speculative", "touching"]:
        """which pairs are in contact: speculative (that the step can close, so that nothing tunnels) or touching (P2: that overlap in the middle of the step)"""
    @activation.setter
    def activation(self, value: Literal["speculative", "touching"]) -> None: ...
    @property
    def move_apart(self) -> bool:
        """overlaps that are left at the end of a step are taken away by displacements, at unchanged velocities"""
    @move_apart.setter
    def move_apart(self, value: bool) -> None: ...

class DynamicAnalysis(Part):
    """motion in time by an implicit integrator"""

    def __init__(
        self,
        *,
        duration: float = ...,
        step: float = ...,
        integrator: Literal["hht", "newmark", "generalized_alpha", "trapezoidal", "backward_euler", "half_step"] | None = ...,
        alpha: float = ...,
        beta: float = ...,
        gamma: float = ...,
        spectral_radius: float = ...,
        control: Literal["fixed", "error"] = ...,
        error_tolerance: float = ...,
        smallest_step: float = ...,
        largest_step: float = ...,
        tolerance: float | None = ...,
        residual_tolerance: float | None = ...,
        iterations: int = ...,
        tangent_policy: Literal["adaptive", "every_step", "every_iteration"] = ...,
        solver: str = ...,
        ordering: str = ...,
        krylov: KrylovOptions | Mapping[str, Any] = ...,
        contact: ContactSettings | Mapping[str, Any] = ...,
        projection: bool | None = ...,
        output_step: float = ...,
        output_times: Sequence[float] = ...,
        fields: Sequence[Literal["position", "velocity", "stress", "contact"]] | None = ...,
        fields_every: int = ...,
        fields_step: float = ...,
        checkpoint_step: float = ...,
        name: str | None = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def duration(self) -> float:
        """length of the run, or of this stage of it [s]"""
    @duration.setter
    def duration(self, value: float) -> None: ...
    @property
    def step(self) -> float:
        """time step, the first one under control error [s]"""
    @step.setter
    def step(self, value: float) -> None: ...
    @property
    def integrator(self) -> Literal["hht", "newmark", "generalized_alpha", "trapezoidal", "backward_euler", "half_step"] | None:
        """hht (default), newmark, generalized_alpha, trapezoidal (with projections, P4), backward_euler, or half_step (linearly implicit, P2; default where a body is co-rotated, reduced or rigid by 'kinematics')"""
    @integrator.setter
    def integrator(self, value: Literal["hht", "newmark", "generalized_alpha", "trapezoidal", "backward_euler", "half_step"] | None) -> None: ...
    @property
    def alpha(self) -> float:
        """hht: -1/3 (most damping) to 0 (none)"""
    @alpha.setter
    def alpha(self, value: float) -> None: ...
    @property
    def beta(self) -> float:
        """newmark"""
    @beta.setter
    def beta(self, value: float) -> None: ...
    @property
    def gamma(self) -> float:
        """newmark"""
    @gamma.setter
    def gamma(self, value: float) -> None: ...
    @property
    def spectral_radius(self) -> float:
        """generalized_alpha: at infinite frequency, 0 (most damping) to 1 (none)"""
    @spectral_radius.setter
    def spectral_radius(self, value: float) -> None: ...
    @property
    def control(self) -> Literal["fixed", "error"]:
        """step size: fixed, or by the estimated error"""
    @control.setter
    def control(self, value: Literal["fixed", "error"]) -> None: ...
    @property
    def error_tolerance(self) -> float:
        """local error of positions over the size of the model, of gradients"""
    @error_tolerance.setter
    def error_tolerance(self, value: float) -> None: ...
    @property
    def smallest_step(self) -> float:
        """the run ends when a smaller step would be needed [s]"""
    @smallest_step.setter
    def smallest_step(self, value: float) -> None: ...
    @property
    def largest_step(self) -> float:
        """0: duration / 20 [s]"""
    @largest_step.setter
    def largest_step(self, value: float) -> None: ...
    @property
    def tolerance(self) -> float | None:
        """Newton's correction: weighted RMS, positions over the size of the model; default: a small share of the scheme's own error in each step, at most 1e-9"""
    @tolerance.setter
    def tolerance(self, value: float | None) -> None: ...
    @property
    def residual_tolerance(self) -> float | None:
        """residual relative to the forces in the system; default: by the change of accelerations in each step, at most 1e-4"""
    @residual_tolerance.setter
    def residual_tolerance(self, value: float | None) -> None: ...
    @property
    def iterations(self) -> int:
        """largest number of Newton iterations a step"""
    @iterations.setter
    def iterations(self, value: int) -> None: ...
    @property
    def tangent_policy(self) -> Literal["adaptive", "every_step", "every_iteration"]:
        """adaptive (keep the factorisation while it converges well), every_step or every_iteration"""
    @tangent_policy.setter
    def tangent_policy(self, value: Literal["adaptive", "every_step", "every_iteration"]) -> None: ...
    @property
    def solver(self) -> str:
        """linear solver by name, or auto; how iterative ones iterate: lithe list krylov"""
    @solver.setter
    def solver(self, value: str) -> None: ...
    @property
    def ordering(self) -> str:
        """ordering of the linear solver, or auto"""
    @ordering.setter
    def ordering(self, value: str) -> None: ...
    @property
    def krylov(self) -> KrylovOptions:
        """of the solvers cg, minres, projected_minres, gmres, bicgstab and bicgstab2"""
    @krylov.setter
    def krylov(self, value: KrylovOptions | Mapping[str, Any]) -> None: ...
    @property
    def contact(self) -> ContactSettings:
        """where something touches: how its forces are found"""
    @contact.setter
    def contact(self, value: ContactSettings | Mapping[str, Any]) -> None: ...
    @property
    def projection(self) -> bool | None:
        """of velocities and accelerations onto the constraints; default: where the scheme would keep errors of accelerations across them (trapezoidal, newmark with beta 1/4, spectral_radius 1, backward_euler)"""
    @projection.setter
    def projection(self, value: bool | None) -> None: ...
    @property
    def output_step(self) -> float:
        """time between outputs; 0: every step [s]"""
    @output_step.setter
    def output_step(self, value: float) -> None: ...
    @property
    def output_times(self) -> tuple[float, ...]:
        """times of outputs, from the begin of the stage, instead of output_step; start and end are outputs too [s]"""
    @output_times.setter
    def output_times(self, value: Sequence[float]) -> None: ...
    @property
    def fields(self) -> tuple[Literal["position", "velocity", "stress", "contact"], ...] | None:
        """what is recorded of the bodies beside the channels: position, velocity, stress, contact (the list of points); default: all"""
    @fields.setter
    def fields(self, value: Sequence[Literal["position", "velocity", "stress", "contact"]] | None) -> None: ...
    @property
    def fields_every(self) -> int:
        """number of outputs from one with fields to the next; those between hold the channels alone"""
    @fields_every.setter
    def fields_every(self, value: int) -> None: ...
    @property
    def fields_step(self) -> float:
        """the same as a time, instead of fields_every; 0: every output [s]"""
    @fields_step.setter
    def fields_step(self, value: float) -> None: ...
    @property
    def checkpoint_step(self) -> float:
        """time between checkpoints; 0: none [s]"""
    @checkpoint_step.setter
    def checkpoint_step(self, value: float) -> None: ...
    @property
    def name(self) -> str | None:
        """of this stage in a list of stages; default: stage1, stage2, ..."""
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def threads(self) -> int:
        """0: all cores"""
    @threads.setter
    def threads(self, value: int) -> None: ...

class ModesAnalysis(Part):
    """natural frequencies and modes about the state that the stage before reached, at rest if none was"""

    def __init__(
        self,
        *,
        count: int = ...,
        near: float | None = ...,
        frames: int = ...,
        amplitude: float = ...,
        fields: Sequence[Literal["position", "velocity", "stress", "contact"]] | None = ...,
        name: str | None = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def count(self) -> int:
        """number of modes, all proved to be there"""
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def near(self) -> float | None:
        """the modes nearest to this frequency (in its square); default: the lowest [Hz]"""
    @near.setter
    def near(self, value: float | None) -> None: ...
    @property
    def frames(self) -> int:
        """rows of the result for each mode: one period of it, from its largest deflection on"""
    @frames.setter
    def frames(self, value: int) -> None: ...
    @property
    def amplitude(self) -> float:
        """largest displacement of these rows over the size of the model"""
    @amplitude.setter
    def amplitude(self, value: float) -> None: ...
    @property
    def fields(self) -> tuple[Literal["position", "velocity", "stress", "contact"], ...] | None:
        """what is recorded of the bodies beside the channels: position, velocity, stress, contact (the list of points); default: all"""
    @fields.setter
    def fields(self, value: Sequence[Literal["position", "velocity", "stress", "contact"]] | None) -> None: ...
    @property
    def name(self) -> str | None:
        """of this stage in a list of stages; default: stage1, stage2, ..."""
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def threads(self) -> int:
        """0: all cores"""
    @threads.setter
    def threads(self, value: int) -> None: ...

class BucklingAnalysis(Part):
    """factors of the constant loads at which the state that the stage before reached loses its stability"""

    def __init__(
        self,
        *,
        count: int = ...,
        frames: int = ...,
        amplitude: float = ...,
        fields: Sequence[Literal["position", "velocity", "stress", "contact"]] | None = ...,
        name: str | None = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def count(self) -> int:
        """number of factors, the lowest above that of the state"""
    @count.setter
    def count(self, value: int) -> None: ...
    @property
    def frames(self) -> int:
        """rows of the result for each mode: once to and fro, from its largest deflection on"""
    @frames.setter
    def frames(self, value: int) -> None: ...
    @property
    def amplitude(self) -> float:
        """largest displacement of these rows over the size of the model"""
    @amplitude.setter
    def amplitude(self, value: float) -> None: ...
    @property
    def fields(self) -> tuple[Literal["position", "velocity", "stress", "contact"], ...] | None:
        """what is recorded of the bodies beside the channels: position, velocity, stress, contact (the list of points); default: all"""
    @fields.setter
    def fields(self, value: Sequence[Literal["position", "velocity", "stress", "contact"]] | None) -> None: ...
    @property
    def name(self) -> str | None:
        """of this stage in a list of stages; default: stage1, stage2, ..."""
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def threads(self) -> int:
        """0: all cores"""
    @threads.setter
    def threads(self, value: int) -> None: ...

class Model(Part):
    """everything the user says"""

    def __init__(
        self,
        *,
        name: str = ...,
        materials: Mapping[str, Isotropic | Orthotropic | Mapping[str, Any]] = ...,
        sections: Mapping[str, Rectangle | Circle | Bar | Plate | Layered | Tube | Box | ISection | ChannelSection | AngleSection | Polygon | General | Tapered | Mapping[str, Any]] = ...,
        bodies: Mapping[str, Body | RigidBody | PointMass | Linkage | Mapping[str, Any]] = ...,
        constraints: Mapping[str, Clamp | Fix | SymmetryPlane | Pin | Roller | Mapping[str, Any]] = ...,
        joints: Mapping[str, Weld | Spherical | Revolute | Universal | Cylindrical | Prismatic | Planar | Distance | PointOnLine | Gear | Motion | Turn | Slide | Screw | PointInPlane | RackAndPinion | SlideAlong | Reeving | RigidConnection | DistributingConnection | Mapping[str, Any]] = ...,
        springs: Mapping[str, Spring | TorsionSpring | Bushing | TravelSpring | Friction | Stop | PdDrive | Rope | Mapping[str, Any]] = ...,
        obstacles: Mapping[str, Obstacle | Mapping[str, Any]] = ...,
        groups: Mapping[str, Sequence[str]] = ...,
        contacts: Mapping[str, Contact | Mapping[str, Any]] = ...,
        initial_velocities: Mapping[str, InitialVelocity | Mapping[str, Any]] = ...,
        loads: Mapping[str, PointForce | PointMoment | LineLoad | Pressure | Gravity | BodyForce | Temperature | Traction | Mapping[str, Any]] = ...,
        outputs: Mapping[str, DisplacementOutput | PositionOutput | GradientOutput | StressOutput | SectionForcesOutput | MaxVonMisesOutput | ReactionOutput | EnergyOutput | VelocityOutput | AccelerationOutput | RotationOutput | JointOutput | SpringOutput | MomentumOutput | ConstraintOutput | ContactOutput | Mapping[str, Any]] = ...,
        strategy: str = ...,
        tangent: Literal["symmetric", "exact"] = ...,
        treatment: Literal["eliminate", "lagrange", "augmented"] = ...,
        penalty: float = ...,
        preset: Literal["none", "paper"] = ...,
        analysis: StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis | Mapping[str, Any] | Sequence[StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis | Mapping[str, Any]] = ...,
    ) -> None: ...
    @property
    def name(self) -> str:
        """name of the model"""
    @name.setter
    def name(self, value: str) -> None: ...
    @property
    def materials(self) -> Named[Isotropic | Orthotropic]:
        """named materials"""
    @materials.setter
    def materials(self, value: Mapping[str, Isotropic | Orthotropic | Mapping[str, Any]]) -> None: ...
    @property
    def sections(self) -> Named[Rectangle | Circle | Bar | Plate | Layered | Tube | Box | ISection | ChannelSection | AngleSection | Polygon | General | Tapered]:
        """named sections"""
    @sections.setter
    def sections(self, value: Mapping[str, Rectangle | Circle | Bar | Plate | Layered | Tube | Box | ISection | ChannelSection | AngleSection | Polygon | General | Tapered | Mapping[str, Any]]) -> None: ...
    @property
    def bodies(self) -> Named[Body | RigidBody | PointMass | Linkage]:
        """named bodies"""
    @bodies.setter
    def bodies(self, value: Mapping[str, Body | RigidBody | PointMass | Linkage | Mapping[str, Any]]) -> None: ...
    @property
    def constraints(self) -> Named[Clamp | Fix | SymmetryPlane | Pin | Roller]:
        """named constraints"""
    @constraints.setter
    def constraints(self, value: Mapping[str, Clamp | Fix | SymmetryPlane | Pin | Roller | Mapping[str, Any]]) -> None: ...
    @property
    def joints(self) -> Named[Weld | Spherical | Revolute | Universal | Cylindrical | Prismatic | Planar | Distance | PointOnLine | Gear | Motion | Turn | Slide | Screw | PointInPlane | RackAndPinion | SlideAlong | Reeving | RigidConnection | DistributingConnection]:
        """named joints between bodies and the ground"""
    @joints.setter
    def joints(self, value: Mapping[str, Weld | Spherical | Revolute | Universal | Cylindrical | Prismatic | Planar | Distance | PointOnLine | Gear | Motion | Turn | Slide | Screw | PointInPlane | RackAndPinion | SlideAlong | Reeving | RigidConnection | DistributingConnection | Mapping[str, Any]]) -> None: ...
    @property
    def springs(self) -> Named[Spring | TorsionSpring | Bushing | TravelSpring | Friction | Stop | PdDrive | Rope]:
        """named springs, dampers and bushings"""
    @springs.setter
    def springs(self, value: Mapping[str, Spring | TorsionSpring | Bushing | TravelSpring | Friction | Stop | PdDrive | Rope | Mapping[str, Any]]) -> None: ...
    @property
    def obstacles(self) -> Named[Obstacle]:
        """named fixed or driven shapes without mass, to touch"""
    @obstacles.setter
    def obstacles(self, value: Mapping[str, Obstacle | Mapping[str, Any]]) -> None: ...
    @property
    def groups(self) -> Named[tuple[str, ...]]:
        """named lists of bodies and obstacles, for 'between' and 'except' of contacts; * stands for any part of a name"""
    @groups.setter
    def groups(self, value: Mapping[str, Sequence[str]]) -> None: ...
    @property
    def contacts(self) -> Named[Contact]:
        """which bodies and obstacles touch, and by which law"""
    @contacts.setter
    def contacts(self, value: Mapping[str, Contact | Mapping[str, Any]]) -> None: ...
    @property
    def initial_velocities(self) -> Named[InitialVelocity]:
        """named velocities at the start"""
    @initial_velocities.setter
    def initial_velocities(self, value: Mapping[str, InitialVelocity | Mapping[str, Any]]) -> None: ...
    @property
    def loads(self) -> Named[PointForce | PointMoment | LineLoad | Pressure | Gravity | BodyForce | Temperature | Traction]:
        """named loads"""
    @loads.setter
    def loads(self, value: Mapping[str, PointForce | PointMoment | LineLoad | Pressure | Gravity | BodyForce | Temperature | Traction | Mapping[str, Any]]) -> None: ...
    @property
    def outputs(self) -> Named[DisplacementOutput | PositionOutput | GradientOutput | StressOutput | SectionForcesOutput | MaxVonMisesOutput | ReactionOutput | EnergyOutput | VelocityOutput | AccelerationOutput | RotationOutput | JointOutput | SpringOutput | MomentumOutput | ConstraintOutput | ContactOutput]:
        """named channels recorded at every step"""
    @outputs.setter
    def outputs(self, value: Mapping[str, DisplacementOutput | PositionOutput | GradientOutput | StressOutput | SectionForcesOutput | MaxVonMisesOutput | ReactionOutput | EnergyOutput | VelocityOutput | AccelerationOutput | RotationOutput | JointOutput | SpringOutput | MomentumOutput | ConstraintOutput | ContactOutput | Mapping[str, Any]]) -> None: ...
    @property
    def strategy(self) -> str:
        """batched, C, D, E, G, L or finite_difference"""
    @strategy.setter
    def strategy(self, value: str) -> None: ...
    @property
    def tangent(self) -> Literal["symmetric", "exact"]:
        """symmetric (symmetric part of the tangents of damping and pressure) or exact"""
    @tangent.setter
    def tangent(self, value: Literal["symmetric", "exact"]) -> None: ...
    @property
    def treatment(self) -> Literal["eliminate", "lagrange", "augmented"]:
        """of constraints: eliminate (linear ones, multipliers for the rest), lagrange (multipliers for all) or augmented (penalty with multiplier iteration for what cannot be eliminated)"""
    @treatment.setter
    def treatment(self, value: Literal["eliminate", "lagrange", "augmented"]) -> None: ...
    @property
    def penalty(self) -> float:
        """treatment augmented: penalty factor"""
    @penalty.setter
    def penalty(self, value: float) -> None: ...
    @property
    def preset(self) -> Literal["none", "paper"]:
        """none, or paper: formulation continuum, strategy E, treatment lagrange, Eigen's SparseLU, tangent every step (P0)"""
    @preset.setter
    def preset(self, value: Literal["none", "paper"]) -> None: ...
    @property
    def analysis(self) -> StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis | tuple[StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis, ...]:
        """what to compute; a list: stages, each from the state that the one before reached"""
    @analysis.setter
    def analysis(self, value: StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis | Mapping[str, Any] | Sequence[StaticAnalysis | DynamicAnalysis | ModesAnalysis | BucklingAnalysis | Mapping[str, Any]]) -> None: ...

    def buckling(self, count: int = 4, at: str = "rest", threads: int = 0) -> Buckling: ...
    def check(self) -> Check: ...
    def modes(
        self, count: int = 10, near: float | None = None, at: str = "rest", threads: int = 0
    ) -> Modes: ...
    def solve(
        self,
        output: Path | None = None,
        threads: int = 0,
        progress: Progress = None,
        force: bool = False,
        trace: Path | None = None,
    ) -> Result: ...
    def to_yaml(self) -> str: ...

class PointStress(TypedDict):
    green_lagrange: NDArray[np.float64]
    second_piola: NDArray[np.float64]
    cauchy: NDArray[np.float64]
    von_mises: float

class System:
    """A compiled model; threads may share it. Arrays over all coordinates have the shape [vectors][3]; q=None is the
    reference configuration, v=None is rest."""

    def __init__(self, model: Model, threads: int = 0) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def vectors(self) -> int: ...
    @property
    def symmetric(self) -> bool: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def length_scale(self) -> float: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def q0(self) -> NDArray[np.float64]: ...
    def vector_range(self, body: str) -> tuple[int, int]: ...
    def internal_force(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> NDArray[np.float64]:
        """of elements, springs and dampers; models with penalty contacts are refused, others have none in it"""

    def external_force(
        self, q: ArrayLike | None = None, t: float = 0.0, load_factor: float = 1.0
    ) -> NDArray[np.float64]: ...
    def tangent(
        self, q: ArrayLike | None = None, v: ArrayLike | None = None, c_q: float = 1.0, c_v: float = 0.0
    ) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
        """of internal_force(), so models with penalty contacts are refused"""

    def restrict(self, force: ArrayLike) -> NDArray[np.float64]: ...
    def prolong(self, dz: ArrayLike) -> NDArray[np.float64]: ...
    def stress_at(
        self, body: str, element: int, xi: Sequence[float], q: ArrayLike | None = None, v: ArrayLike | None = None
    ) -> PointStress: ...
    def nodal_von_mises(self, body: str, q: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def max_von_mises(self, body: str, q: ArrayLike | None = None, samples: int = 5) -> float: ...
    def strain_energy(self, q: ArrayLike | None = None) -> float: ...
    def kinetic_energy(self, v: ArrayLike | None) -> float: ...
    def total_mass(self) -> float: ...
    def unknown_name(self, i: int) -> str: ...

class ResultSource:
    @property
    def info(self) -> dict[str, Any]: ...
    def read(self, name: str) -> NDArray[np.float64]: ...

def shape_functions(element: str, points: ArrayLike) -> NDArray[np.float64]: ...
def buckling(model: Model, count: int, at_equilibrium: bool, threads: int) -> dict[str, Any]: ...
def check(model: Model) -> dict[str, Any]: ...
def describe_classes() -> list[dict[str, Any]]: ...
def describe_results(path: str) -> str: ...
def load(path: str | bytes, overrides: list[str]) -> Model: ...
def model_yaml(model: Model) -> str: ...
def modes(
    model: Model, count: int, near: float | None, at_equilibrium: bool, threads: int
) -> dict[str, Any]: ...
def open_results(path: str | bytes) -> ResultSource: ...
def reduce_craig_bampton(
    model: Model, body: str, interfaces: list[str], count: int, output: bytes
) -> dict[str, Any]: ...
def reduce_modal(model: Model, body: str, modes: str, output: bytes) -> dict[str, Any]: ...
def reduce_pod(result: bytes, body: str, count: int, output: bytes) -> dict[str, Any]: ...
def repair(path: str | bytes) -> None: ...
def check_picture(path: str, source: str, force: bool) -> None: ...
def replace_picture(path: str, data: bytes) -> None: ...
def resume(
    path: str | bytes,
    duration: float | None,
    trace: str | bytes | None,
    threads: int,
    progress: Callable[[dict[str, Any]], Any] | None,
    screen: Any,
    force: bool,
) -> tuple[ResultSource, BaseException | None, list[str]]: ...
def solve(
    model: Model,
    output: str | bytes | None,
    trace: str | bytes | None,
    threads: int,
    progress: Callable[[dict[str, Any]], Any] | None,
    screen: Any,
    force: bool,
) -> tuple[ResultSource, BaseException | None, list[str]]: ...
